import { Effect } from "effect"
import { Command } from "effect/cli"

/** `turma mcp`: what an agent's client starts. */
export const mcp = Command.make(
  "mcp",
  {},
  () => Effect.flatten(Effect.promise(async () => (await import("./mcp/serveStdio.ts")).serveStdio))
).pipe(
  Command.withExamples([{ command: "turma mcp", description: "What an agent's client is told to start" }]),
  Command.withDescription(
    "Give an agent the tools that a key allows, over standard input and output: TURMA_KEY, and TURMA_URL where the service is"
  )
)
