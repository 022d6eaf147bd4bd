// The programs of the GPU: surfaces, lines, background; each for the picture, for shadows and for picking.

const GLSL = "#version 300 es\nprecision highp float;\nprecision highp sampler2DShadow;\n";

// A surface's vertex. Springs are made here: x is the place along the spring, y the angle around its wire.
const SURFACE_VERTEX = GLSL + `
uniform mat4 see, model, light;
uniform mat3 turn;
uniform float texel; // size of a pixel of the shadow [m]
uniform vec4 coil; // turns, radius, length, radius of the wire; no spring if turns is 0
in vec3 position, normal, tint;
out vec3 at, facing, paint;
out vec4 lit;
void main() {
  vec3 p = position, n = normal;
  if (coil.x > 0.0) {
    float u = position.x / 65535.0, around = position.y / 65535.0 * 6.2831853, a = 6.2831853 * coil.x;
    float r = coil.y * smoothstep(0.0, 0.5 / coil.x, u) * smoothstep(1.0, 1.0 - 0.5 / coil.x, u);
    vec3 off = vec3(cos(a * u), sin(a * u), 0.0), t = normalize(vec3(-r * a * off.y, r * a * off.x, coil.z));
    n = cos(around) * off + sin(around) * cross(t, off);
    p = vec3(r * off.xy, coil.z * u) + coil.w * n;
  }
  vec4 world = model * vec4(p, 1.0);
  at = world.xyz;
  facing = turn * n;
  paint = tint;
  lit = light * vec4(at + normalize(facing + 1e-9) * texel * 2.5, 1.0); // a surface does not shade itself
  gl_Position = see * world;
}`;

// Soft light: a sky and a ground, a key light fixed in the world that casts shadows, a fill light beside the camera.
const SURFACE_FRAGMENT = GLSL + `
uniform vec3 eye, up, key, fill;
uniform vec4 color;
uniform vec3 choose; // 1 where: flat faces, colors of vertices, shadows
uniform float glow;  // 0, or more for what the pointer is on
uniform sampler2DShadow shade;
in vec3 at, facing, paint;
in vec4 lit;
out vec4 pixel;
float bright() {
  if (choose.z < 0.5) return 1.0;
  vec3 p = lit.xyz / lit.w * 0.5 + 0.5;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  float sum = 0.0, slope = 0.0006;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) sum += texture(shade, vec3(p.xy + vec2(i, j) * 1.3 / 2048.0, p.z - slope));
  return sum / 9.0;
}
void main() {
  vec3 n = normalize(choose.x > 0.5 ? cross(dFdx(at), dFdy(at)) : facing), v = normalize(eye - at);
  if (dot(n, v) < 0.0) n = -n;
  vec3 base = pow(choose.y > 0.5 ? paint : color.rgb, vec3(2.2));
  float sun = max(dot(n, key), 0.0), free = sun > 0.0 ? mix(1.0, bright(), smoothstep(0.0, 0.25, sun)) : 1.0;
  vec3 light = mix(vec3(0.19, 0.18, 0.18), vec3(0.40, 0.43, 0.48), 0.5 + 0.5 * dot(n, up))
             + vec3(0.78, 0.75, 0.70) * sun * free + vec3(0.16, 0.175, 0.20) * max(dot(n, fill), 0.0);
  float shine = pow(max(dot(n, normalize(key + v)), 0.0), 36.0) * 0.16 * step(0.001, sun) * free
              + pow(1.0 - max(dot(n, v), 0.0), 4.0) * 0.05;
  vec3 c = base * light + shine;
  c = mix(c, vec3(1.0, 0.62, 0.15), glow * 0.28);
  c /= 1.0 + 0.25 * c * c; // bright colors keep their shades
  pixel = vec4(pow(min(c, 1.0), vec3(1.0 / 2.2)), color.a);
}`;

// A segment as a rectangle of constant width in pixels. `corner`: which end, which side.
const LINE_VERTEX = GLSL + `
uniform mat4 see, model;
uniform vec2 size;
uniform float width, near, nearer;
in vec2 corner;
in vec3 first, second, tint;
out vec3 paint, at;
void main() {
  at = (model * vec4(corner.x < 0.5 ? first : second, 1.0)).xyz;
  vec4 a = see * model * vec4(first, 1.0), b = see * model * vec4(second, 1.0);
  if (a.w < near && b.w > near) a = mix(b, a, (b.w - near) / (b.w - a.w));
  if (b.w < near && a.w > near) b = mix(a, b, (a.w - near) / (a.w - b.w));
  vec2 way = (b.xy / b.w - a.xy / a.w) * size;
  way = length(way) > 1e-6 ? normalize(way) : vec2(1.0, 0.0);
  vec4 p = corner.x < 0.5 ? a : b;
  p.xy += (vec2(-way.y, way.x) * corner.y + way * (corner.x * 2.0 - 1.0) * 0.5) * width / size * p.w;
  p.z -= nearer; // in front of the surface that it lies on
  paint = tint;
  gl_Position = p;
}`;

const LINE_FRAGMENT = GLSL + `
uniform vec4 color;
uniform vec3 choose;
uniform float glow;
uniform vec4 fade; // middle and radius of what is seen: the ground's lines end softly; radius 0: no end
in vec3 paint, at;
out vec4 pixel;
void main() {
  float seen = fade.w > 0.0 ? smoothstep(1.0, 0.35, length(at - fade.xyz) / fade.w) : 1.0;
  pixel = vec4(mix(choose.y > 0.5 ? paint : color.rgb, vec3(1.0, 0.62, 0.15), glow), color.a * seen);
}`;

const PICK_FRAGMENT = GLSL + `
uniform vec4 color; // the number of the thing, in bytes
out vec4 pixel;
void main() { pixel = color; }`;

// The background; and the plane of the ground, dark where the key light does not reach.
const SKY_VERTEX = GLSL + `
in vec2 corner;
out float height;
void main() { height = corner.y; gl_Position = vec4(corner * 2.0 - 1.0, 1.0, 1.0); }`;

const SKY_FRAGMENT = GLSL + `
uniform vec3 above, below;
in float height;
out vec4 pixel;
void main() { pixel = vec4(mix(below, above, smoothstep(0.0, 1.0, height)), 1.0); }`;

const FLOOR_VERTEX = GLSL + `
uniform mat4 see, light;
uniform vec3 middle, east, north;
in vec2 corner;
out vec4 lit;
out vec2 spot;
void main() {
  spot = corner * 2.0 - 1.0;
  vec3 p = middle + spot.x * east + spot.y * north;
  lit = light * vec4(p, 1.0);
  gl_Position = see * vec4(p, 1.0);
}`;

const FLOOR_FRAGMENT = GLSL + `
uniform sampler2DShadow shade;
uniform float strength;
in vec4 lit;
in vec2 spot;
out vec4 pixel;
void main() {
  vec3 p = lit.xyz / lit.w * 0.5 + 0.5;
  float sum = 0.0;
  for (int i = -2; i <= 2; i++)
    for (int j = -2; j <= 2; j++) sum += texture(shade, vec3(p.xy + vec2(i, j) * 1.5 / 2048.0, min(p.z, 1.0) - 0.001));
  pixel = vec4(0.0, 0.0, 0.0, (1.0 - sum / 25.0) * strength * smoothstep(1.0, 0.7, length(spot)));
}`;
