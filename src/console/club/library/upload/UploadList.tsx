import { useId } from "preact/hooks"
import { bytes, percent } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { RefusalText } from "../../../../browser/parts/RefusalText.tsx"
import { tenthOf } from "../../../../browser/parts/tenths.ts"
import { attempt } from "../../../../browser/parts/Toasts.tsx"
import { me, type Membership } from "../../Session.ts"
import { cancel, forget, goOn, isResumable, pause, type Upload, upload, uploads } from "./uploads.ts"

const words = spoken(
  {
    cancel: "Cancel",
    changed: "The file was changed or moved after you chose it. Choose it again.",
    choose: "Choose files to upload",
    clear: "Remove from the list",
    continued: "It continues where it stopped.",
    done: "Uploaded",
    goOn: "Go on",
    hint:
      "Uploads continue by themselves after a break. If you reload the page, choose the same file again in this tab within a day.",
    of: (sent: string, all: string, share: string) => `${sent} of ${all}, ${share}`,
    pause: "Pause",
    paused: "Paused",
    progress: (name: string) => `Upload of ${name}`,
    queued: "Waiting for the others",
    refused: "It was refused several times. Try again later.",
    signedOut: "Your session has ended. Sign in again to continue.",
    waiting: "The service cannot be reached. The upload continues by itself once it can."
  },
  {
    cancel: "Cancelar",
    changed: "O arquivo foi alterado ou movido depois que você o escolheu. Escolha de novo.",
    choose: "Escolha arquivos para enviar",
    clear: "Remover da lista",
    continued: "Continua de onde tinha parado.",
    done: "Enviado",
    goOn: "Continuar",
    hint:
      "Os envios continuam sozinhos se a conexão cair. Se você recarregar a página, escolha o mesmo arquivo de novo nesta aba em até um dia.",
    of: (sent: string, all: string, share: string) => `${sent} de ${all}, ${share}`,
    pause: "Pausar",
    paused: "Pausado",
    progress: (name: string) => `Envio de ${name}`,
    queued: "Aguardando os outros",
    refused: "O envio foi recusado várias vezes. Tente mais tarde.",
    signedOut: "Sua sessão terminou. Entre de novo para continuar.",
    waiting: "O serviço não responde. O envio continua sozinho assim que ele voltar."
  }
)

const stateOf = ({ error, state }: Upload) => {
  if (typeof error === "string") return said(words)[error]
  if (error !== undefined) return <RefusalText of={error} />
  if (state === "queued") return said(words).queued
  if (state === "done") return said(words).done
  if (state === "waiting") return said(words).waiting
  return state === "paused" ? said(words).paused : ""
}

const Actions = ({ one }: { readonly one: Upload }) => (
  <div class="actions">
    {(one.state === "queued" || one.state === "sending" || one.state === "waiting") && (
      <button
        type="button"
        class="quiet"
        onClick={() => pause(one.id)}
      >
        {said(words).pause}
      </button>
    )}
    {isResumable(one) && (
      <button
        type="button"
        class="quiet"
        onClick={() => goOn(one.id)}
      >
        {said(words).goOn}
      </button>
    )}
    {one.state === "done"
      ? <button type="button" class="quiet" onClick={() => forget(one.id)}>{said(words).clear}</button>
      : (
        <button type="button" class="quiet" onClick={() => void attempt(() => cancel(one.id))}>
          {said(words).cancel}
        </button>
      )}
  </div>
)

const Row = ({ one }: { readonly one: Upload }) => {
  const { file, sent, started } = one
  const isSending = one.state !== "done" && one.state !== "failed"
  return (
    <li class="upload">
      <div class="line">
        <strong dir="auto">{file.name}</strong>
        <Actions one={one} />
      </div>
      {isSending && <progress aria-label={said(words).progress(file.name)} max={file.size} value={sent} />}
      <p class={one.error === undefined ? "soft small" : "wrong"}>
        {isSending && (
          <span class="number">
            {said(words).of(bytes(sent), bytes(file.size), percent(file.size === 0 ? 0 : sent / file.size))}
          </span>
        )} {started?.isContinued === true && isSending && said(words).continued}{" "}
        <span role="status">{stateOf(one)}</span>
      </p>
      <p class="visually-hidden" role="status">
        {one.state === "sending" && `${file.name}: ${percent(tenthOf(sent, file.size))}`}
      </p>
    </li>
  )
}

interface UploadListProps {
  readonly club: Membership
  /** As an input of files takes it. */
  readonly accept?: string
}

/** Where files are chosen, and how far those are that were. */
export const UploadList = ({ accept, club }: UploadListProps) => {
  const id = useId()
  const all = uploads.value.filter(({ clubId, personId }) =>
    clubId === club.organization_id && personId === me.value?.id
  )
  return (
    <div class="stack">
      <div class="field">
        <label for={id}>{said(words).choose}</label>
        <input
          id={id}
          type="file"
          multiple
          {...(accept === undefined ? {} : { accept })}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => {
            for (const file of currentTarget.files ?? []) upload(club.organization_id, file)
            currentTarget.value = ""
          }}
        />
        <p class="hint" id={`${id}-hint`}>{said(words).hint}</p>
      </div>
      {all.length > 0 && <ul class="plain-list stack">{all.map((one) => <Row key={one.id} one={one} />)}</ul>}
    </div>
  )
}
