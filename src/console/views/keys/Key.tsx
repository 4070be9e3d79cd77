import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { dateTime } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { dayOf, millisOf, startOfDay, timestampOf } from "../../../browser/client/Time.ts"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { TextArea, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { Countdown, Moment } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { refuseStale } from "../../../browser/parts/refuseStale.ts"
import { Shown } from "../../../browser/parts/States.tsx"
import type { Membership } from "../../club/Session.ts"
import { clubPage, type ClubViewProps } from "../../club/View.ts"
import { type ClubKey, keysOf, KeyState, rightOf, Secret } from "./KeyParts.tsx"
import { networksIn } from "./KeyRules.ts"
import { words } from "./words.ts"

interface OfKey {
  readonly club: Membership
  readonly of: ClubKey
}

const place = ({ club, of }: OfKey) => ({ clubId: club.organization_id, keyId: of.id })

const Facts = ({ of }: Pick<OfKey, "of">) => (
  <dl class="facts card">
    <dt>{said(words).right}</dt>
    <dd>{rightOf(of)}</dd>
    <dt>{said(words).prefix}</dt>
    <dd>
      <code>turma_{of.prefix}</code>
    </dd>
    <dt>{said(words).holder}</dt>
    <dd dir="auto">{of.holder === null ? said(words).nobody : of.holder.name}</dd>
    <dt>{said(words).lastUsed}</dt>
    <dd>{of.last_used_at === null ? said(words).never : <Moment at={of.last_used_at} />}</dd>
    {of.last_used_address !== null && (
      <>
        <dt>{said(words).address}</dt>
        <dd>{of.last_used_address}</dd>
      </>
    )}
    <dt>{said(words).networks}</dt>
    <dd>{of.allowed_networks.length === 0 ? said(words).anywhere : of.allowed_networks.join(", ")}</dd>
    <dt>{said(words).created}</dt>
    <dd>{dateTime(of.created_at)}</dd>
    <dt>{said(words).ends}</dt>
    <dd>{of.expires_at === null ? said(words).never : dateTime(of.expires_at)}</dd>
    {of.revoked_at !== null && (
      <>
        <dt>{said(words).revokedAt}</dt>
        <dd>{dateTime(of.revoked_at)}</dd>
      </>
    )}
  </dl>
)

const networksOf = ({ allowed_networks }: ClubKey) => allowed_networks.join("\n")

/** The last day of a key. A key ends at the start of the next day, unless it ends within one. */
const dayIn = ({ expires_at }: ClubKey) => expires_at === null ? "" : dayOf(timestampOf(millisOf(expires_at) - 1))

const Edit = (props: OfKey) => {
  const { club, of } = props
  const form = useForm({
    of,
    values: {
      name: of.name,
      allowed_networks: networksOf(of),
      expires_at: dayIn(of)
    },
    send: async (value) => {
      if (form.isTouched("allowed_networks")) {
        const { data: now } = await turma.keys.get(place(props))
        refuseStale(networksOf(of), networksOf(now), () => changed(keysOf(club)))
      }
      await turma.keys.update({
        ...place(props),
        body: form.changes({
          name: value("name"),
          allowed_networks: [...networksIn(value("allowed_networks"))],
          expires_at: startOfDay(value("expires_at"), 1) ?? null
        })
      })
      changed(keysOf(club))
    },
    done: said(words).changed
  })
  return (
    <form class="card stack narrow" onSubmit={form.submit}>
      <h2>{said(words).edit}</h2>
      <TextField form={form} name="name" label={said(words).name} maxLength={80} required />
      <TextArea
        form={form}
        name="allowed_networks"
        label={said(words).networks}
        hint={said(words).networksHint}
        rows={2}
      />
      <TextField form={form} name="expires_at" label={said(words).ends} hint={said(words).endsHint} type="date" />
      <div class="actions">
        <button type="submit" disabled={!form.isChanged} aria-busy={form.isRunning}>{said(words).change}</button>
      </div>
    </form>
  )
}

type KeyAction = "adopt" | "revoke" | "rotate"

const KeyActionDialog = (
  { action, onClose, onToken, ...props }: OfKey & {
    readonly action: KeyAction
    readonly onClose: () => void
    readonly onToken: (token: string) => void
  }
) => {
  const { club, of } = props
  const done = { adopt: said(words).adopted, revoke: said(words).revoked, rotate: said(words).rotated }
  const text = {
    adopt: said(words).adoptText,
    revoke: said(words).revokeText(of.name),
    rotate: said(words).rotateText
  }
  const work = async () => {
    if (action === "rotate") onToken((await turma.keys.rotate(place(props))).data.token)
    else if (action === "adopt") await turma.keys.adopt(place(props))
    else await turma.keys.revoke(place(props))
    changed(keysOf(club))
  }
  return (
    <Confirm
      title={`${said(words)[action]}: ${of.name}`}
      action={said(words)[action]}
      isDangerous={action === "revoke"}
      done={done[action]}
      work={work}
      onClose={onClose}
    >
      <p>{text[action]}</p>
    </Confirm>
  )
}

const OneKey = (props: OfKey) => {
  const { club, of } = props
  const action = useSignal<KeyAction | undefined>(undefined)
  const token = useSignal<string | undefined>(undefined)
  const hasEnded = of.status === "expired" || of.status === "revoked"
  const ask = (next: KeyAction) => () => {
    action.value = next
  }
  return (
    <>
      <PageHead
        title={of.name}
        badge={<KeyState status={of.status} />}
        above={[{ label: said(words).title, to: clubPage(club, "keys") }]}
        actions={!hasEnded && (
          <>
            <button type="button" class="quiet" onClick={ask("adopt")}>{said(words).adopt}</button>
            <button type="button" class="quiet" onClick={ask("rotate")}>{said(words).rotate}</button>
            <MoreMenu>
              <MenuEntry icon="remove" isDangerous label={said(words).revoke} act={ask("revoke")} />
            </MoreMenu>
          </>
        )}
      />
      {!hasEnded && of.previous_token_ends_at !== null && (
        <p class="notice waiting">
          <strong>
            {said(words).old} <Countdown until={of.previous_token_ends_at} />
          </strong>
          {said(words).oldText}
        </p>
      )}
      <Facts of={of} />
      {!hasEnded && <Edit club={club} of={of} key={of.id} />}
      {action.value !== undefined && (
        <KeyActionDialog
          {...props}
          action={action.value}
          onClose={() => (action.value = undefined)}
          onToken={(made) => (token.value = made)}
        />
      )}
      {action.value === undefined && token.value !== undefined && (
        <Secret token={token.value} onClose={() => (token.value = undefined)} />
      )}
    </>
  )
}

/** A key: what it may, when it was used last, and its end. */
export default function Key({ club, params: { key = "" } }: ClubViewProps) {
  const read = useRead(
    `${keysOf(club)}/${key}`,
    (signal) => turma.keys.get({ clubId: club.organization_id, keyId: key }, { signal })
  )
  return <Shown read={read}>{({ data }) => <OneKey club={club} of={data} />}</Shown>
}
