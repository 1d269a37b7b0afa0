//! What a shader declares, read from its SPIR-V: group size, structs with offsets, bindings, uniform locations.

use std::collections::HashMap;

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, ExecutionMode, Op};

use super::layout::StructLayout;

/// A struct of a shader, with the byte offsets of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderStruct {
    pub name: String,
    pub members: Vec<(String, u32)>,
    /// Distance between elements where an array of it stands in a block.
    pub array_stride: Option<u32>,
}

/// What a shader declares.
#[derive(Clone, Debug, Default)]
pub struct Reflection {
    /// `local_size_x`; 1 for stages that have none.
    pub local_size: u32,
    pub structs: Vec<ShaderStruct>,
    /// Blocks (by block name) and textures (by variable name) with their bindings.
    pub bindings: Vec<(String, u32)>,
    /// Loose uniforms with their locations.
    pub locations: Vec<(String, u32)>,
}

impl Reflection {
    /// Reads a SPIR-V module; the error is a sentence.
    pub fn of(words: &[u32]) -> Result<Self, String> {
        let module = rspirv::dr::load_words(words).map_err(|error| format!("its SPIR-V cannot be read: {error}"))?;
        Ok(Self::of_module(&module))
    }

    fn of_module(module: &Module) -> Self {
        let mut names = HashMap::new();
        let mut member_names = HashMap::new();
        for instruction in &module.debug_names {
            match (instruction.class.opcode, instruction.operands.as_slice()) {
                (Op::Name, [Operand::IdRef(id), Operand::LiteralString(name)]) => {
                    names.insert(*id, name.clone());
                }
                (Op::MemberName, [Operand::IdRef(id), Operand::LiteralBit32(member), Operand::LiteralString(name)]) => {
                    member_names.insert((*id, *member), name.clone());
                }
                _ => {}
            }
        }
        let mut offsets: HashMap<u32, Vec<(u32, u32)>> = HashMap::new();
        let mut strides = HashMap::new();
        let mut binding_of = HashMap::new();
        let mut location_of = HashMap::new();
        for instruction in &module.annotations {
            match (instruction.class.opcode, instruction.operands.as_slice()) {
                (
                    Op::MemberDecorate,
                    [
                        Operand::IdRef(id),
                        Operand::LiteralBit32(member),
                        Operand::Decoration(Decoration::Offset),
                        Operand::LiteralBit32(offset),
                    ],
                ) => offsets.entry(*id).or_default().push((*member, *offset)),
                (Op::Decorate, [Operand::IdRef(id), Operand::Decoration(decoration), Operand::LiteralBit32(value)]) => {
                    match decoration {
                        Decoration::ArrayStride => strides.insert(*id, *value),
                        Decoration::Binding => binding_of.insert(*id, *value),
                        Decoration::Location => location_of.insert(*id, *value),
                        _ => None,
                    };
                }
                _ => {}
            }
        }
        let types: HashMap<u32, &Instruction> = module
            .types_global_values
            .iter()
            .filter_map(|instruction| Some((instruction.result_id?, instruction)))
            .collect();
        let name = |id: &u32| names.get(id).cloned().unwrap_or_default();
        let mut structs = Vec::new();
        for (id, mut members) in offsets {
            members.sort_unstable();
            let array_stride = types
                .iter()
                .find(|(array, kind)| {
                    matches!(kind.class.opcode, Op::TypeRuntimeArray | Op::TypeArray)
                        && kind.operands.first() == Some(&Operand::IdRef(id))
                        && strides.contains_key(array)
                })
                .map(|(array, _)| strides[array]);
            let members = members
                .into_iter()
                .map(|(member, offset)| (member_names.get(&(id, member)).cloned().unwrap_or_default(), offset))
                .collect();
            structs.push(ShaderStruct { name: name(&id), members, array_stride });
        }
        structs.sort_by(|a, b| a.name.cmp(&b.name));
        // A variable's type is a pointer; a block is known by the struct's name, a texture by its own.
        let pointee = |variable: &u32| -> Option<u32> {
            let pointer = types.get(&types.get(variable)?.result_type?)?;
            pointer.operands.get(1).and_then(|operand| operand.id_ref_any())
        };
        let mut bindings: Vec<(String, u32)> = binding_of
            .iter()
            .map(|(variable, binding)| {
                let block = pointee(variable)
                    .filter(|id| types.get(id).is_some_and(|kind| kind.class.opcode == Op::TypeStruct))
                    .unwrap_or(*variable);
                (name(&block), *binding)
            })
            .collect();
        bindings.sort();
        let is_uniform = |variable: &&u32| {
            types.get(variable).is_some_and(|instruction| {
                instruction.operands.first()
                    == Some(&Operand::StorageClass(rspirv::spirv::StorageClass::UniformConstant))
            })
        };
        let mut locations: Vec<(String, u32)> =
            location_of.keys().filter(is_uniform).map(|variable| (name(variable), location_of[variable])).collect();
        locations.sort();
        let local_size = module
            .execution_modes
            .iter()
            .find_map(|instruction| match instruction.operands.as_slice() {
                [_, Operand::ExecutionMode(ExecutionMode::LocalSize), Operand::LiteralBit32(x), ..] => Some(*x),
                _ => None,
            })
            .unwrap_or(1);
        Self { local_size, structs, bindings, locations }
    }

    /// Compares each shared struct that the shader declares with the host's; the error is a sentence.
    pub fn check(&self, shared: &[StructLayout]) -> Result<(), String> {
        for host in shared {
            for shader in self.structs.iter().filter(|shader| shader.name == host.name) {
                let expected: Vec<(String, u32)> =
                    host.fields.iter().map(|(field, offset)| (camel_case(field), *offset as u32)).collect();
                let most = expected.len().max(shader.members.len());
                let differing = (0..most).find(|&place| shader.members.get(place) != expected.get(place));
                if let Some(place) = differing {
                    let member = |members: &[(String, u32)]| match members.get(place) {
                        Some((name, offset)) => format!("`{name}` at byte {offset}"),
                        None => "nothing more".to_owned(),
                    };
                    let (shader, expected) = (member(&shader.members), member(&expected));
                    return Err(format!("struct {} has {shader} where the host has {expected}", host.name));
                }
                if let Some(stride) = shader.array_stride.filter(|stride| *stride as usize != host.size) {
                    return Err(format!(
                        "struct {} takes {stride} bytes in the shader and {} on the host",
                        host.name, host.size
                    ));
                }
            }
        }
        Ok(())
    }
}

/// `index_a` to `indexA`.
fn camel_case(field: &str) -> String {
    let mut out = String::with_capacity(field.len());
    let mut upper = false;
    for letter in field.chars() {
        match letter {
            '_' => upper = true,
            _ if upper => {
                out.extend(letter.to_uppercase());
                upper = false;
            }
            _ => out.push(letter),
        }
    }
    out
}
