// constraint: a ribbon with smooth edges, narrowed towards its ends so that crossings can be read. Its core has the exact
// colour.
#version 450

layout(location = 0) noperspective in float v_Along;
layout(location = 1) noperspective in float v_Across;
layout(location = 2) flat in float v_HalfWidth;
layout(location = 3) flat in float v_Bow;
layout(location = 4) flat in vec4 v_Color;
layout(location = 0) out vec4 color;

void main() {
    float t = 2.0 * v_Along - 1.0;
    float off = abs(v_Across - v_Bow * (1.0 - t * t * t * t));
    float halfWidth = v_HalfWidth * min(0.5 + 1.2 * (1.0 - abs(t)), 1.0);
    float cover = clamp(halfWidth + 0.5 - off, 0.0, 1.0);
    color = vec4(v_Color.rgb, v_Color.a * cover);
}
