import { assert, it } from "@effect/vitest"
import { exitCodes } from "../../src/cli/errors/ExitCodes.ts"
import { guide } from "./Guides.ts"

it("the guide to the command line has every exit code, as turma help exit-codes prints them", () => {
  const rows = [...guide("command-line").matchAll(/^\| (\d+) \| (.*) \|$/gm)].map((
    [, code, meaning]
  ) => [code, meaning])
  assert.deepStrictEqual(rows, Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]))
})
