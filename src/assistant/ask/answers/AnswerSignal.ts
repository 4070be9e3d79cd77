import { Context, Layer } from "effect"
import { makeSignal, type Signal } from "../../../platform/jobs/Signal.ts"

/** Tells this process's worker that a question was asked. */
export class AnswerSignal extends Context.Service<AnswerSignal, Signal>()("turma/assistant/ask/answers/AnswerSignal") {
  static readonly layer = Layer.effect(AnswerSignal, makeSignal)
}
