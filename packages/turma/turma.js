#!/usr/bin/env node
// The command of the package, for a Node of any version. The service runs on the Node that the package brings, or on a
// newer one; an older one only starts that. JavaScript that an old Node understands, since it may be what reads this.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { constants } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const { optionalDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

/** The package of this platform's Node, and the version that Turma was tested on. */
const name = `node-${process.platform}-${process.arch}`
const tested = Object.values(optionalDependencies)[0]

/** @param {string} version */
const numbersOf = (version) => version.split(".").map(Number)

/** @param {string} version as in `process.versions.node` */
const isOlder = (version) => {
  const given = numbersOf(version)
  const differences = numbersOf(tested).map((number, place) => number - (given[place] ?? 0))
  return (differences.find((difference) => difference !== 0) ?? 0) > 0
}

/** The program of the Node that came with the package, if it did. */
const broughtNode = () => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "bin/node")
  } catch {
    return undefined
  }
}

/** @type {ReadonlyArray<NodeJS.Signals>} */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"]

/** @param {string} program */
const runOn = (program) => {
  const child = spawn(program, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" })
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on("error", ({ message }) => {
    process.stderr.write(`turma: the Node ${tested} that it brings does not start: ${message}\n`)
    process.exit(1)
  })
  child.on("exit", (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]))
}

const node = isOlder(process.versions.node) ? broughtNode() : process.execPath
if (node === process.execPath) await import(new URL("../bundle/turma.js", import.meta.url).href)
else if (node !== undefined) runOn(node)
else {
  process.stderr
    .write(`turma: needs Node ${tested} or newer and this is ${process.versions.node}; the package brings one, ${name}, ` +
      "which is not installed: install with optional dependencies, or use a newer Node\n")
  process.exit(1)
}
