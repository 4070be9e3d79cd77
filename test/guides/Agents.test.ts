import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../../src/Api.ts"
import { agentTools, type ContractTool } from "../../src/operations/mcp/AgentTools.ts"
import { operationsOf } from "../../src/operations/mcp/ContractOperations.ts"
import { mostCharacters } from "../../src/operations/mcp/Fitting.ts"
import { protocols } from "../../src/operations/mcp/ToolServer.ts"
import { blocks, guide } from "./Guides.ts"

const agents = guide("agents")
const tools = await Effect.runPromise(agentTools(operationsOf(Api)))

const effectOf = ({ hints }: ContractTool) => {
  const own = hints.readOnlyHint ? "reads" : hints.destructiveHint ? "overwrites or takes away" : "adds"
  return hints.openWorldHint ? `${own}; sends something to others` : own
}

/** The rows of the guide's table, in the order of the tools' names. */
const rows = tools.toSorted((one, other) => one.name < other.name ? -1 : 1)
  .map((tool) => `| \`${tool.name}\` | ${tool.title} | ${effectOf(tool)} |`)

describe("The guide to agents", () => {
  it("has every tool and what it does", () => {
    const [, table = ""] = agents.split("| Tool | Does | Effect |\n|---|---|---|\n")
    assert.deepStrictEqual(table.trimEnd().split("\n"), rows)
  })

  it("names the versions of the protocol and the size of an answer", () => {
    for (const { protocolVersion } of protocols) assert.include(agents, protocolVersion)
    assert.include(agents, mostCharacters.toLocaleString("en"))
  })

  it("shows files that are JSON", () => {
    const files = blocks(agents, "json")
    assert.lengthOf(files, 3)
    for (const file of files) assert.isObject(JSON.parse(file))
  })
})
