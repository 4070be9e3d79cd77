import type { ComponentChildren } from "preact"
import type { TurmaError } from "../../sdk/index.ts"
import { said, spoken } from "../client/Language.ts"
import type { Read } from "../client/Reads.ts"
import { PageHead } from "./PageHead.tsx"

const words = spoken(
  {
    again: "Try again",
    loading: "Loading",
    failed: "This could not be read",
    forbidden: "Your role in this club does not show this",
    missing: "There is nothing here",
    request: (id: string) => `Request ${id}`
  },
  {
    again: "Tentar de novo",
    loading: "Carregando",
    failed: "Não foi possível ler isto",
    forbidden: "Seu papel neste clube não mostra isto",
    missing: "Não há nada aqui",
    request: (id: string) => `Requisição ${id}`
  }
)

/** What would be here, and how to get it. */
export const Empty = (
  { action, children, title }: {
    readonly title: string
    readonly children?: ComponentChildren
    readonly action?: ComponentChildren
  }
) => (
  <div class="empty">
    <h3>{title}</h3>
    {children !== undefined && <p>{children}</p>}
    {action}
  </div>
)

const titleOf = ({ status }: TurmaError) =>
  status === 403 ? said(words).forbidden : status === 404 ? said(words).missing : said(words).failed

/** The sentence of the API, the request's id, and a way to go on. */
export const Failure = ({ again, error }: { readonly error: TurmaError; readonly again?: () => void }) => (
  <div class="empty" role="alert">
    <h3>{titleOf(error)}</h3>
    <p>{error.message}</p>
    {error.requestId !== undefined && <p class="soft small">{said(words).request(error.requestId)}</p>}
    {again !== undefined && error.status !== 403 && error.status !== 404 && (
      <button type="button" class="quiet" onClick={again}>{said(words).again}</button>
    )}
  </div>
)

/** Says that something is on its way; shown only where that takes a while. */
export const Loading = () => (
  <div class="loading" role="status">
    <span class="visually-hidden">{said(words).loading}</span>
  </div>
)

interface ShownProps<A> {
  readonly read: Read<A>
  /** The heading where it cannot be read, of a page that has its own out of what is read. */
  readonly title?: string
  readonly children: (data: A) => ComponentChildren
}

/** What was read, or that it is not there yet, or why it is not. What is known stays while it is read again. */
export function Shown<A>({ children, read, title }: ShownProps<A>) {
  if (read.data !== undefined) return <>{children(read.data)}</>
  if (read.error === undefined) return <Loading />
  return (
    <>
      {title !== undefined && <PageHead title={title} />}
      <Failure error={read.error} again={read.reload} />
    </>
  )
}
