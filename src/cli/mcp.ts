import { Effect } from "effect"
import { Command } from "effect/cli"
import { ClubFlag, ProfileFlag } from "./flags/RemoteFlags.ts"

/** `turma mcp`: what an agent's client starts. */
export const mcp = Command.make(
  "mcp",
  {},
  () => Effect.flatten(Effect.promise(async () => (await import("./mcp/serveStdio.ts")).serveStdio))
).pipe(
  Command.withExamples([{ command: "turma mcp", description: "What an agent's client is told to start" }]),
  Command.withDescription(
    "Give an agent the tools that a key allows, over standard input and output: the profile's key, or TURMA_KEY"
  ),
  Command.withGlobalFlags([ProfileFlag, ClubFlag])
)
