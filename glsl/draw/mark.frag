// mark: a filled disc for a pin, a ring for the particle under the cursor.
#version 450

layout(location = 0) uniform vec4 u_Pin;
layout(location = 1) uniform vec4 u_Edge;
layout(location = 2) uniform vec4 u_Cursor;
layout(location = 3) uniform float u_PinRadius; // points

layout(location = 0) in vec2 v_Offset; // points from the centre
layout(location = 1) flat in uint v_Kind;
layout(location = 0) out vec4 color;

void main() {
    float radius = length(v_Offset);
    if (v_Kind == 0u) {
        float disc = clamp(u_PinRadius + 0.5 - radius, 0.0, 1.0);
        float edge = clamp(u_PinRadius + 2.0 - radius, 0.0, 1.0);
        color = vec4(mix(u_Edge.rgb, u_Pin.rgb, disc), edge);
    } else {
        float ring = clamp(2.0 - abs(radius - 8.5), 0.0, 1.0);
        color = vec4(u_Cursor.rgb, ring);
    }
    if (color.a <= 0.0) discard;
}
