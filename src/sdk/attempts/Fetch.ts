/** The argument for `fetch`. */
export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly redirect: "manual"
  readonly signal: AbortSignal
}

/** Reads what has come. */
export interface FetchReader {
  readonly read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  readonly cancel: () => Promise<void>
}

/** The parts of an answer that the SDK reads. */
export interface FetchResponse {
  readonly status: number
  readonly type?: string
  readonly headers: { readonly get: (name: string) => string | null }
  readonly body: { readonly getReader: () => FetchReader } | null
  readonly arrayBuffer: () => Promise<ArrayBuffer>
}

/** The part of the web's `fetch` that the SDK uses. */
export interface Fetch {
  (url: string, init: FetchInit): Promise<FetchResponse>
}
