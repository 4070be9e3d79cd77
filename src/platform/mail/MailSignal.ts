import { Context, Layer } from "effect"
import { makeSignal, type Signal } from "../jobs/Signal.ts"

/** Tells this process's worker that a mail waits. */
export class MailSignal extends Context.Service<MailSignal, Signal>()("turma/platform/mail/MailSignal") {
  static readonly layer = Layer.effect(MailSignal, makeSignal)
}
