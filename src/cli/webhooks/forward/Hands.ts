import { type ListenerResult, mostDeliveries } from "../../../webhooks/listener/Listener.ts"
import type { WebhookDeliveryId } from "../../../webhooks/model/WebhookDeliveryId.ts"

/** The deliveries that this process has: those it forwards now, and those whose result is not told yet. */
export class Hands {
  readonly #running = new Set<WebhookDeliveryId>()
  #untold: ReadonlyArray<ListenerResult>

  constructor(untold: ReadonlyArray<ListenerResult>) {
    this.#untold = untold
  }

  /** The results to tell next, oldest first. */
  get untold(): ReadonlyArray<ListenerResult> {
    return this.#untold
  }

  get isIdle(): boolean {
    return this.#running.size === 0
  }

  /** The deliveries that the service must not hand out again: the first hundred. There are more only after a start. */
  get held(): ReadonlyArray<WebhookDeliveryId> {
    const ids = new Set([...this.#running, ...this.#untold.map(({ delivery_id }) => delivery_id)])
    return [...ids].slice(0, mostDeliveries)
  }

  /** How many more deliveries fit. */
  get room(): number {
    return mostDeliveries - this.held.length
  }

  /** No delivery fits until a result is reported. */
  get isFull(): boolean {
    return this.isIdle && this.room === 0
  }

  /** False if the delivery is here already, or if this same attempt has a result that is not reported yet. */
  take(id: WebhookDeliveryId, receipt: string): boolean {
    const isMade = this.#untold.some((result) => result.delivery_id === id && result.receipt === receipt)
    if (isMade || this.#running.has(id)) return false
    this.#running.add(id)
    return true
  }

  made(result: ListenerResult): void {
    this.#running.delete(result.delivery_id)
    this.#untold = [...this.#untold, result]
  }

  told(results: ReadonlyArray<ListenerResult>): void {
    const gone = new Set(results)
    this.#untold = this.#untold.filter((result) => !gone.has(result))
  }
}
