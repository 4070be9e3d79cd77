import { Context } from "effect"

/** What an agent's tool is of an operation, beside what the contract says of it. */
export interface AgentToolOptions {
  /** The feature and the verb: `students_search`. No two operations have one name. */
  readonly name: string
  /**
   * What of `data` an agent gets, separated by spaces: ids, names, states, dates. A name takes the whole field,
   * `author.name` that part of it, of each where there are several. Of an answer without a body there is nothing.
   */
  readonly fields: string
  /** Those of the fields whose text is the service's own. Any other text is somebody's, and marked as such. */
  readonly own?: string
  /** Fields of its body that no agent sends, separated by spaces: they would lead what is a person's to somebody else. */
  readonly withheld?: string
  /** Whether it overwrites or takes away. Unless it is said here, PUT, PATCH and DELETE do, and POST does not. */
  readonly destructive?: boolean
  /** Whether something is sent to others by it: a mail, a webhook. */
  readonly reachesOthers?: boolean
}

/** Makes a tool of an operation, for agents: `.annotate(AgentTool, { name, fields })`. Without it there is none. */
export const AgentTool = Context.Reference<AgentToolOptions | undefined>("turma/platform/http/AgentTool", {
  defaultValue: () => undefined
})
