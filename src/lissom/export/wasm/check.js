// Goes through the stored states, one by one and all at once.

let bad = 0;

function compare(what, found, stored, { names, scales }) {
  stored.forEach((row, k) => {
    const values = names.length === 1 ? found : found[names[k]];
    const worst = Math.max(0, ...row.map((x, i) => Math.abs(values[i] - x) / scales[k]));
    const good = worst <= TOLERANCE;
    if (!good) bad++;
    console.log(`${what}: ${names[k]}: ${row.length} numbers, largest error ${worst.toExponential(1)}${good ? "" : ": WRONG"}`);
  });
}

const functions = await load();
for (const [name, states] of Object.entries(STORED)) {
  const { inputs, outputs } = states, call = functions[name];
  for (let n = 0; n < outputs[0].length; n++) {
    compare(`${name}, state ${n}`, call(...inputs.map((table) => table[n])), outputs.map((table) => table[n]), states);
  }
  compare(`${name}, all states`, call(...inputs.map((table) => table.flat())), outputs.map((table) => table.flat()), states);
}
console.log(bad ? "FAILED" : "passed");
process.exit(bad ? 1 : 0);
