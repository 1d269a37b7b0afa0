// The camera and the look of a frame.
#ifndef VIEW_GLSL
#define VIEW_GLSL

layout(std140, binding = 1) uniform View {
    mat4 viewProjection;
    vec3 eye;            // m
    float pixelsPerPoint;
    vec2 viewport;       // pixels
    float ribbonWidth;   // widest ribbon, points
    float strainRange;   // strain at either end of the strain colours
};

// A point a little nearer to the eye, at the same place in the picture, so that what lies on the cloth is not hidden by it.
vec3 lifted(vec3 point, float by) {
    vec3 toEye = eye - point;
    float far = length(toEye);
    return point + toEye * (min(by, 0.5 * far) / max(far, 1e-6));
}

#endif
