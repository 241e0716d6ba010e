// Runs the hub's firmware under MicroPython. All it wants of its board it asks of the parent process: one line of text
// on standard output, answered by one line on standard input. Only text goes between MicroPython and here, as objects
// would be kept for ever: they are freed between turns of Node's own loop, and the firmware never returns to it.
// Arguments: MicroPython's module, the heap in bytes, folders of Python files, and last a program. If it defines `turn`,
// that is called until it returns False: MicroPython frees its garbage here only while no Python runs.

import * as fs from "node:fs";
import * as path from "node:path";
import { pathToFileURL } from "node:url";

const [module, heap, ...rest] = process.argv.slice(2);
const program = rest.pop();
const buffer = Buffer.alloc(65536);

function ask(question) {
  const data = Buffer.from(question + "\n", "latin1");
  for (let sent = 0; sent < data.length; ) sent += fs.writeSync(1, data, sent);
  let length = 0;
  while (length === 0 || buffer[length - 1] !== 10) {
    const count = fs.readSync(0, buffer, length, buffer.length - length);
    if (count === 0) process.exit(0); // nobody is there any more
    length += count;
  }
  return buffer.latin1Slice(0, length - 1);
}

try {
  const { loadMicroPython } = await import(pathToFileURL(module).href);
  const stdout = (line) => fs.writeSync(2, line + "\n");
  const mp = await loadMicroPython({ heapsize: Number(heap), stdout, linebuffer: true });
  for (const folder of rest)
    for (const name of fs.readdirSync(folder).filter((name) => name.endsWith(".py")))
      mp.FS.writeFile("/" + name, fs.readFileSync(path.join(folder, name)));
  mp.registerJsModule("host", { ask });
  mp.runPython("import sys\nsys.path.append('/')\n" + program);
  const turn = mp.globals.get("turn");
  while (turn?.());
} catch (error) {
  fs.writeSync(2, error.message + "\n");
  process.exit(1);
}
