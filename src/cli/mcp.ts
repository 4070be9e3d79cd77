import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { toolSetOf, toolSetWanted } from "../operations/mcp/ToolSets.ts"
import { ClubFlag, ProfileFlag } from "./flags/RemoteFlags.ts"

/** `turma mcp`: what an agent's client starts. */
export const mcp = Command.make(
  "mcp",
  {
    tools: Flag.String("tools").pipe(
      Flag.withMetavar("areas"),
      Flag.withDescription("Some of the key's tools alone, by area as scopes name them: students:read,webhooks"),
      Flag.filterMap(toolSetOf, () => toolSetWanted),
      Flag.optional
    )
  },
  ({ tools }) =>
    Effect.promise(() => import("./mcp/serveStdio.ts")).pipe(Effect.flatMap(({ serveStdio }) =>
      serveStdio(Option.getOrNull(tools))
    ))
).pipe(
  Command.withExamples([{ command: "turma mcp", description: "The command that an agent's client starts" }]),
  Command
    .withDescription("Give an agent the tools that a key allows, over standard input and output: the profile's key, or TURMA_KEY"),
  Command.withGlobalFlags([ProfileFlag, ClubFlag])
)
