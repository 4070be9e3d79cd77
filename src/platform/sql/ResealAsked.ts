import { Context, Effect, PubSub } from "effect"

/** Tells the workers of this process to move what is sealed once more. */
export const ResealAsked = Context.Reference<PubSub.PubSub<void>>("turma/platform/sql/ResealAsked", {
  defaultValue: () => Effect.runSync(PubSub.sliding<void>(1))
})
