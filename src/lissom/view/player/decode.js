// From the JSON of a scene (lissom/view/scene/data.py says what it holds) to typed arrays.

const TYPES = { f32: Float32Array, f64: Float64Array, u8: Uint8Array, i8: Int8Array, u16: Uint16Array, u32: Uint32Array };

/** Typed array of {type, shape, data}; it knows its shape. Data are little-endian, as every machine with WebGL 2 is. */
function decodeArray(packed) {
  if (packed === null || packed === undefined) return null;
  const text = atob(packed.data), bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const array = new TYPES[packed.type](bytes.buffer);
  array.shape = packed.shape;
  return array;
}

/** The scene with every array decoded. A scene that is decoded already stays as it is. */
function decodeScene(data) {
  if (data.decoded) return data;
  if (data.format !== 1) throw new Error(`this player reads scenes of format 1, not ${data.format}`);
  const forms = data.forms.map((form) => ({
    ...form,
    vertices: decodeArray(form.vertices), faces: decodeArray(form.faces), normals: decodeArray(form.normals),
    colors: decodeArray(form.colors), points: decodeArray(form.points),
  }));
  const arrows = (data.arrows || []).map((arrow) => ({ ...arrow, at: decodeArray(arrow.at), vector: decodeArray(arrow.vector) }));
  return {
    ...data, decoded: true, forms, arrows, spans: data.spans || [], events: data.events || [],
    times: decodeArray(data.times), poses: decodeArray(data.poses),
  };
}
