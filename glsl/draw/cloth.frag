// cloth: lit from both sides, and muted, since the threads on it carry the picture.
#version 450
#include "common/view.glsl"

layout(location = 0) uniform vec4 u_Front;
layout(location = 1) uniform vec4 u_Back;

layout(location = 0) in vec3 v_Point;
layout(location = 1) in vec3 v_Normal;
layout(location = 0) out vec4 color;

const vec3 KEY = vec3(0.36, 0.72, 0.60); // toward the light, unit length

void main() {
    vec3 toEye = normalize(eye - v_Point);
    vec3 normal = dot(v_Normal, v_Normal) > 0.0 ? normalize(v_Normal) : toEye;
    // Which side is seen is a matter of the triangle; a smooth normal at a fold may look away all the same.
    normal = gl_FrontFacing ? normal : -normal;
    vec3 albedo = (gl_FrontFacing ? u_Front : u_Back).rgb;
    float key = 0.62 * max(dot(normal, KEY), 0.0);
    float sky = 0.40 + 0.16 * normal.y;
    float edge = 1.0 - abs(dot(normal, toEye));
    float rim = 0.10 * edge * edge * edge;
    color = vec4(albedo * (sky + key) + rim, 1.0);
}
