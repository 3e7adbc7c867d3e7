// What the compiler does not forbid: `any`, markup made from text, and opening windows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const RULES = [
  [/(:|<|\bas|,|\||&|=>)\s*any\b/, 'no `any`: say the type, or `unknown`'],
  [/@ts-(ignore|nocheck|expect-error)/, 'no silenced types'],
  [/\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser)\b/, 'text goes in as textContent'],
  [/\bwindow\.open\b|\blocation(\.href)?\s*=[^=]|\blocation\.(assign|replace)\b/, 'nothing of ours opens a page'],
  [/\beval\(|new Function\(/, 'no code from text'],
  [/\.maxLength\b|['"]maxlength['"]/i, 'maxlength counts UTF-16 units'],
  [/valueAsNumber|valueAsDate|parseFloat|type\s*=\s*['"]number['"]/, 'numbers stay text']
];

let bad = 0;
for (const root of ['src', 'tests']) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(ts|css)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    readFileSync(path, 'utf8').split('\n').forEach((line, at) => {
      if (line.trimStart().startsWith('//') || line.trimStart().startsWith('*')) return;
      for (const [pattern, why] of RULES) {
        if (pattern.test(line) && !line.includes('lint: allow')) {
          console.error(`${path}:${at + 1}: ${why}\n    ${line.trim()}`);
          bad += 1;
        }
      }
    });
  }
}
if (bad > 0) process.exitCode = 1;
else console.log('lint: clean');
