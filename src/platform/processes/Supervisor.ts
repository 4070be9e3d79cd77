import { Context, type Duration, type Effect, Schema } from "effect"

/** The supervisor did not answer in time, or has ended. */
export class SupervisorSilent extends Schema.TaggedError<SupervisorSilent>()("SupervisorSilent", {}) {
  override get message(): string {
    return "the supervisor of the processes does not answer"
  }
}

/** The connection of a process that serves beside others of one command to its supervisor. */
export interface Supervised {
  /** True for the first of all. It writes the lines that the log should have once. */
  readonly isFirst: boolean
  /** Tells that everything is built: this process serves, and the next may start. */
  readonly ready: Effect.Effect<void>
  /** Registers what to do before this process ends because another one has taken its place. */
  onLeave(prepare: Effect.Effect<void>): Effect.Effect<void>
  /** Asks a question on a subject that the supervisor knows, and waits so long for the answer, which the asker reads. */
  ask(subject: string, question: Schema.Json, patience: Duration.Input): Effect.Effect<unknown, SupervisorSilent>
}

/** The supervisor; undefined in a process that is the only one of its command. */
export const Supervisor = Context.Reference<Supervised | undefined>("turma/platform/processes/Supervisor", {
  defaultValue: () => undefined
})
