import { CopyButton } from "../../../browser/parts/Code.tsx"

/** An id in a table, to copy whole. */
export const Id = ({ id, what }: { readonly id: string; readonly what: string }) => (
  <span class="id">
    <code>{id}</code>
    <CopyButton text={id} what={what} />
  </span>
)
