import { readFileSync } from "node:fs"

/** The lines of a file in test/vectors, without empty lines and comments. */
export const vectorLines = (file: string): ReadonlyArray<string> =>
  readFileSync(new URL(`../vectors/${file}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
