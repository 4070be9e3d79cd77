import { said } from "../../../browser/client/Language.ts"
import { Badge, type Tone } from "../../../browser/parts/Badge.tsx"
import { Code } from "../../../browser/parts/Code.tsx"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { ShownOnce } from "../../../browser/parts/ShownOnce.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { roleName } from "../../club/Roles.ts"
import type { Membership } from "../../club/Session.ts"
import { reachesOf } from "./KeyRules.ts"
import { areaNames, words } from "./words.ts"

/** A key without its token. */
export type ClubKey = Schemas["ClubKey"]

/** Under which all that is known of a club's keys is kept. */
export const keysOf = (club: Membership): string => `${club.organization_id}/keys`

const tones: Readonly<Record<ClubKey["status"], Tone>> = {
  active: "good",
  expired: "quiet",
  revoked: "quiet",
  unowned: "warning"
}

/** The status of a key, as a badge. */
export const KeyState = ({ status }: Pick<ClubKey, "status">) => (
  <Badge tone={tones[status]}>{said(words).statuses[status]}</Badge>
)

/** The rights of a key, in words: `Support; Students reads`. */
export const rightOf = ({ role, scopes }: Pick<ClubKey, "role" | "scopes">): string =>
  [
    ...role === null ? [] : [roleName(role)],
    ...reachesOf(scopes ?? []).map(([area, reach]) => `${said(areaNames)[area]} (${said(words).reaches[reach]})`)
  ].join(", ")

/** A token that is shown once: it goes when somebody says that it is kept. */
export const Secret = ({ onClose, token }: { readonly token: string; readonly onClose: () => void }) => (
  <Dialog title={said(words).secret} onClose={onClose} stays>
    <p class="notice waiting">{said(words).secretText}</p>
    <Code label="turma_…" text={token} />
    <div class="actions">
      <button type="button" onClick={onClose}>{said(words).secretDone}</button>
    </div>
    <ShownOnce />
  </Dialog>
)
