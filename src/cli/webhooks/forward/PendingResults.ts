import { type ListenerResult, mostDeliveries } from "../../../webhooks/listener/Listener.ts"
import type { WebhookDeliveryId } from "../../../webhooks/model/WebhookDeliveryId.ts"

/** The deliveries that this process has: those it forwards now, and those whose result is not told yet. */
export class PendingResults {
  readonly #running = new Set<WebhookDeliveryId>()
  #unrecorded: ReadonlyArray<ListenerResult>

  constructor(unrecorded: ReadonlyArray<ListenerResult>) {
    this.#unrecorded = unrecorded
  }

  /** The results to tell next, oldest first. */
  get unrecorded(): ReadonlyArray<ListenerResult> {
    return this.#unrecorded
  }

  get isIdle(): boolean {
    return this.#running.size === 0
  }

  /** The deliveries that the service must not hand out again: the first hundred. There are more only after a start. */
  get inFlight(): ReadonlyArray<WebhookDeliveryId> {
    const ids = new Set([...this.#running, ...this.#unrecorded.map(({ delivery_id }) => delivery_id)])
    return [...ids].slice(0, mostDeliveries)
  }

  /** Number of further deliveries that fit. */
  get room(): number {
    return mostDeliveries - this.inFlight.length
  }

  /** No delivery fits until a result is reported. */
  get isFull(): boolean {
    return this.isIdle && this.room === 0
  }

  /** False if the delivery is here already, or if this same attempt has a result that is not reported yet. */
  take(id: WebhookDeliveryId, receipt: string): boolean {
    const isMade = this.#unrecorded.some((result) => result.delivery_id === id && result.receipt === receipt)
    if (isMade || this.#running.has(id)) return false
    this.#running.add(id)
    return true
  }

  made(result: ListenerResult): void {
    this.#running.delete(result.delivery_id)
    this.#unrecorded = [...this.#unrecorded, result]
  }

  recorded(results: ReadonlyArray<ListenerResult>): void {
    const gone = new Set(results)
    this.#unrecorded = this.#unrecorded.filter((result) => !gone.has(result))
  }
}
