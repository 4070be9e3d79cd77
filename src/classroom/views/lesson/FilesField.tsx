import { useId } from "preact/hooks"
import { bytes } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { RefusalText } from "../../../browser/parts/RefusalText.tsx"
import { mostFiles, type useFiles } from "./useFiles.ts"

const words = spoken(
  {
    add: "Add files",
    hint: "Documents, images and videos, up to 100 MB each.",
    remove: (name: string) => `Remove ${name}`,
    sending: (name: string) => `Sending ${name}`
  },
  {
    add: "Anexar arquivos",
    hint: "Documentos, imagens e vídeos de até 100 MB cada.",
    remove: (name: string) => `Remover ${name}`,
    sending: (name: string) => `Enviando ${name}`
  }
)

const Remove = ({ name, work }: { readonly name: string; readonly work: () => void }) => (
  <button type="button" class="quiet square" aria-label={said(words).remove(name)} onClick={work}>
    <Icon name="close" />
  </button>
)

/** The files of a submission: those that are there, and those on their way. */
export const FilesField = ({ files }: { readonly files: ReturnType<typeof useFiles> }) => {
  const id = useId()
  const isFull = files.files.length + files.onWay.length >= mostFiles
  return (
    <div class="stack files-field">
      {(files.files.length > 0 || files.onWay.length > 0) && (
        <ul class="plain-list">
          {files.files.map(({ id, name, size }) => (
            <li key={id}>
              <Icon name="file" />
              <span dir="auto">{name}</span>
              <span class="soft small number">{bytes(size)}</span>
              <Remove name={name} work={() => files.remove(id)} />
            </li>
          ))}
          {files.onWay.map(({ error, key, name, sent, size }) => (
            <li key={key}>
              <Icon name="file" />
              <span dir="auto">{name}</span>
              {error === undefined
                ? <progress max={Math.max(1, size)} value={sent} aria-label={said(words).sending(name)} />
                : (
                  <span class="wrong" role="alert">
                    <RefusalText of={error} />
                  </span>
                )}
              <Remove name={name} work={() => files.forget(key)} />
            </li>
          ))}
        </ul>
      )}
      {!isFull && (
        <div class="field">
          <input
            id={id}
            class="visually-hidden"
            type="file"
            multiple
            aria-describedby={`${id}-hint`}
            onChange={({ currentTarget }) => {
              files.add(currentTarget.files ?? [])
              // The same file may be chosen again.
              currentTarget.value = ""
            }}
          />
          <label class="button quiet" for={id}>
            <Icon name="file" />
            {said(words).add}
          </label>
          <p class="hint" id={`${id}-hint`}>{said(words).hint}</p>
        </div>
      )}
    </div>
  )
}
