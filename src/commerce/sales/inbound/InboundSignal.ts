import { Context, Layer } from "effect"
import { makeSignal, type Signal } from "../../../platform/jobs/Signal.ts"

/** Tells this process's worker that an inbound event waits. */
export class InboundSignal
  extends Context.Service<InboundSignal, Signal>()("turma/commerce/sales/inbound/InboundSignal")
{
  static readonly layer = Layer.effect(InboundSignal, makeSignal)
}
