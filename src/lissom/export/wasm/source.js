// Where the module comes from, in browsers and in Node.

/** Reads the module: an address, the bytes, a Response or a WebAssembly.Module. */
async function instantiate(source) {
  if (source instanceof WebAssembly.Module) return new WebAssembly.Instance(source).exports;
  if (typeof Response !== "undefined" && source instanceof Response) source = await source.arrayBuffer();
  if (source instanceof URL || typeof source === "string") {
    const place = new URL(source, import.meta.url);
    if (place.protocol === "file:" && typeof process !== "undefined") source = await (await import("node:fs/promises")).readFile(place);
    else source = await (await fetch(place)).arrayBuffer();
  }
  return (await WebAssembly.instantiate(source)).instance.exports;
}
