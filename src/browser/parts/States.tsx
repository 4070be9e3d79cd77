import type { ComponentChildren } from "preact"
import type { TurmaError } from "../../sdk/index.ts"
import { said, spoken } from "../client/Language.ts"
import type { Read } from "../client/Reads.ts"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./icons.ts"
import { RefusalText } from "./RefusalText.tsx"

const words = spoken(
  {
    again: "Try again",
    loading: "Loading",
    failed: "This could not be loaded",
    forbidden: "Your role in this club does not allow you to see this",
    missing: "There is nothing here",
    request: (id: string) => `Request ${id}`
  },
  {
    again: "Tentar de novo",
    loading: "Carregando",
    failed: "Não foi possível carregar",
    forbidden: "Seu papel neste clube não permite ver isto",
    missing: "Não há nada aqui",
    request: (id: string) => `Requisição ${id}`
  }
)

/** An empty place: the things that would be here, and a way to get them. */
export const Empty = (
  { action, children, icon, title }: {
    readonly title: string
    readonly icon?: IconName
    readonly children?: ComponentChildren
    readonly action?: ComponentChildren
  }
) => (
  <div class="empty">
    {icon !== undefined && (
      <span class="empty-picture">
        <Icon name={icon} />
      </span>
    )}
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
    <p>
      <RefusalText of={error} />
    </p>
    {error.requestId !== undefined && <p class="soft small">{said(words).request(error.requestId)}</p>}
    {again !== undefined && error.status !== 403 && error.status !== 404 && (
      <button type="button" class="quiet" onClick={again}>{said(words).again}</button>
    )}
  </div>
)

/** Says that data is on its way, after a short pause. */
export const Loading = () => (
  <div class="loading" role="status">
    <span class="visually-hidden">{said(words).loading}</span>
  </div>
)

/** The data, a sign that it loads, or its failure. Known data stays while it is read again. */
export function Shown<A>(
  { children, read }: { readonly read: Read<A>; readonly children: (data: A) => ComponentChildren }
) {
  if (read.data !== undefined) return <>{children(read.data)}</>
  if (read.error !== undefined) return <Failure error={read.error} again={read.reload} />
  return <Loading />
}
