import { Context } from "effect"

/** The part of an agent's tool that the contract does not say. */
export interface AgentToolOptions {
  /** The feature and the verb: `students_search`. No two operations have one name. */
  readonly name: string
  /**
   * The parts of `data` that an agent gets, separated by spaces: ids, names, states, dates. A name takes the whole
   * field, `author.name` that part of it; in a list, that part of each item. For an answer without a body it is empty.
   */
  readonly fields: string
  /** The fields whose text is the service's own. Any other text counts as a person's, and is marked so. */
  readonly own?: string
  /** Fields of its body that no agent sends, separated by spaces: they would lead what is a person's to somebody else. */
  readonly withheld?: string
  /** True if the tool overwrites or deletes. By default PUT, PATCH and DELETE do, and POST does not. */
  readonly destructive?: boolean
  /** True if the tool sends something to others: a mail, a webhook. */
  readonly reachesOthers?: boolean
}

/**
 * Makes a tool of an operation, for agents: `.annotate(AgentTool, { name, fields })`. An operation without it has no
 * tool.
 */
export const AgentTool = Context.Reference<AgentToolOptions | undefined>("turma/platform/http/AgentTool", {
  defaultValue: () => undefined
})
