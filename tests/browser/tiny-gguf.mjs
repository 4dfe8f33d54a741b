// Model file of a few megabytes with random weights, for llama.cpp. Its output has no meaning. Its tokens are bytes, so
// a prompt of some hundred words runs long enough to be stopped.

const width = 256;
const hidden = 768;
const heads = 4;

const kinds = { u32: 4, i32: 5, f32: 6, string: 8, array: 9 };

/** Returns a file in version 3 of GGUF. More layers make the model slower. */
export function tinyGguf(layers) {
  const tokens = ["<unk>", "<s>", "</s>"];
  const types = [2, 3, 3];
  for (let byte = 0; byte < 256; byte += 1) {
    tokens.push(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
    types.push(6);
  }
  const meta = [
    text("general.architecture", "llama"),
    text("general.name", "tiny"),
    number("llama.context_length", 8192),
    number("llama.embedding_length", width),
    number("llama.block_count", layers),
    number("llama.feed_forward_length", hidden),
    number("llama.attention.head_count", heads),
    number("llama.attention.head_count_kv", heads),
    number("llama.rope.dimension_count", width / heads),
    pair("llama.attention.layer_norm_rms_epsilon", kinds.f32, float(1e-5)),
    text("tokenizer.ggml.model", "llama"),
    list("tokenizer.ggml.tokens", kinds.string, tokens.map(string)),
    list(
      "tokenizer.ggml.scores",
      kinds.f32,
      tokens.map(() => float(0)),
    ),
    list("tokenizer.ggml.token_type", kinds.i32, types.map(uint)),
    number("tokenizer.ggml.unknown_token_id", 0),
    number("tokenizer.ggml.bos_token_id", 1),
    number("tokenizer.ggml.eos_token_id", 2),
  ];
  const tensors = [
    ["token_embd.weight", [width, tokens.length]],
    ["output_norm.weight", [width]],
    ["output.weight", [width, tokens.length]],
  ];
  for (let layer = 0; layer < layers; layer += 1) {
    const square = ["attn_q", "attn_k", "attn_v", "attn_output"];
    for (const name of ["attn_norm", "ffn_norm"])
      tensors.push([`blk.${layer}.${name}.weight`, [width]]);
    for (const name of square) tensors.push([`blk.${layer}.${name}.weight`, [width, width]]);
    for (const name of ["ffn_gate", "ffn_up"])
      tensors.push([`blk.${layer}.${name}.weight`, [width, hidden]]);
    tensors.push([`blk.${layer}.ffn_down.weight`, [hidden, width]]);
  }
  let offset = 0;
  const infos = tensors.map(([name, shape]) => {
    const info = [string(name), uint(shape.length), ...shape.map(long), uint(0), long(offset)];
    offset += 4 * size(shape);
    return Buffer.concat(info);
  });
  const head = [
    Buffer.from("GGUF"),
    uint(3),
    long(tensors.length),
    long(meta.length),
    ...meta,
    ...infos,
  ];
  const written = Buffer.concat(head);
  const data = tensors.map(([name, shape]) => weights(size(shape), name.includes("norm")));
  return Buffer.concat([written, Buffer.alloc((32 - (written.length % 32)) % 32), ...data]);
}

function size(shape) {
  return shape.reduce((product, one) => product * one, 1);
}

let seed = 7;
/** Returns the same pseudo-random weights in each process; weights of a norm are 1. */
function weights(count, norm) {
  const made = new Float32Array(count);
  for (let at = 0; at < count; at += 1) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    made[at] = norm ? 1 : (seed / 2 ** 32 - 0.5) * 0.12;
  }
  return Buffer.from(made.buffer);
}

function uint(value) {
  const made = Buffer.alloc(4);
  made.writeUInt32LE(value);
  return made;
}

function long(value) {
  const made = Buffer.alloc(8);
  made.writeBigUInt64LE(BigInt(value));
  return made;
}

function float(value) {
  const made = Buffer.alloc(4);
  made.writeFloatLE(value);
  return made;
}

function string(value) {
  return Buffer.concat([long(Buffer.byteLength(value)), Buffer.from(value)]);
}

function pair(key, kind, value) {
  return Buffer.concat([string(key), uint(kind), value]);
}

const text = (key, value) => pair(key, kinds.string, string(value));
const number = (key, value) => pair(key, kinds.u32, uint(value));
const list = (key, kind, values) =>
  pair(key, kinds.array, Buffer.concat([uint(kind), long(values.length), ...values]));
