// ground: lines a quarter of a metre apart, brighter ones at the metres, fading outwards.
#version 450

layout(location = 1) uniform vec4 u_Color;

layout(location = 0) in vec2 v_Place;
layout(location = 1) in vec2 v_Offset;
layout(location = 0) out vec4 color;

// How much of a pixel a line one pixel wide covers, where lines are `spacing` apart; fades before it turns into moiré.
float lines(float spacing) {
    vec2 place = v_Place / spacing;
    vec2 pixel = max(fwidth(place), 1e-6);
    vec2 off = abs(fract(place - 0.5) - 0.5) / pixel;
    vec2 cover = clamp(1.0 - off, 0.0, 1.0) * (1.0 - smoothstep(0.15, 0.5, pixel));
    return max(cover.x, cover.y);
}

void main() {
    float cover = max(0.4 * lines(0.25), lines(1.0));
    float fade = 1.0 - smoothstep(0.15, 1.0, length(v_Offset));
    color = vec4(u_Color.rgb, u_Color.a * cover * fade);
}
