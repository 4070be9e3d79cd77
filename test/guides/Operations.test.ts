import { assert, it } from "@effect/vitest"
import { startArguments, startEnvironment } from "../harness/ScriptArguments.ts"
import { blocks, guide } from "./Guides.ts"

it("The unit for systemd runs what npm start runs", () => {
  const [unit = ""] = blocks(guide("operations"), "ini")
  assert.match(unit, new RegExp(`^ExecStart=/srv/turma/node_modules/\\.bin/node ${startArguments.join(" ")}$`, "m"))
  for (const [name, value] of Object.entries(startEnvironment)) assert.include(unit, `${name}=${value}`)
})
