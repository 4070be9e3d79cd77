import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import { Icon } from "./Icon.tsx"
import { attempt, Toasts } from "./Toasts.tsx"

const words = spoken({ cancel: "Cancel", close: "Close" }, { cancel: "Cancelar", close: "Fechar" })

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly wide?: boolean
  /** True if the reader cannot close it. It closes once its question has an answer. */
  readonly stays?: boolean
}

/** A dialog over the page: Escape and a click beside it close it, and the focus goes back to its old place. */
export const Dialog = ({ children, onClose, stays = false, title, wide = false }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // A mark of text that ends beside the dialog is not a click there.
  const isPressedBeside = useRef(false)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Closed before it goes, so that the focus is back at once: nothing beside an open one can have it.
    return () => shown?.close()
  }, [])
  const close = () => {
    if (dialog.current === null) return
    // A browser closes it on a second Escape, even if the script prevents the first.
    if (stays) dialog.current.showModal()
    else onClose()
  }
  return (
    <dialog
      ref={dialog}
      class={wide ? "wide" : ""}
      aria-labelledby={id}
      onCancel={(event) => stays && event.preventDefault()}
      onClose={close}
      onPointerDown={(event) => (isPressedBeside.current = event.target === dialog.current)}
      onClick={(event) => !stays && isPressedBeside.current && event.target === dialog.current && onClose()}
    >
      <div class="dialog">
        <header>
          <h2 id={id}>{title}</h2>
          {!stays && (
            <button type="button" class="quiet square" aria-label={said(words).close} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
      </div>
      <Toasts />
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  /** The consequence of the action, and its number. */
  readonly children: ComponentChildren
  /** The deed, as the button says it: `Disable endpoint`. */
  readonly action: string
  readonly isDangerous?: boolean
  /** Text that has to be typed before the action, for actions that cannot be undone. */
  readonly typed?: { readonly label: string; readonly text: string }
  /** The message after the action. */
  readonly done?: string
  readonly work: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before an action. It stays open if the action fails. */
export const Confirm = ({ action, children, done, isDangerous = false, onClose, title, typed, work }: ConfirmProps) => {
  const isRunning = useSignal(false)
  const entered = useSignal("")
  const id = useId()
  const isReady = typed === undefined || entered.value.trim() === typed.text
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isRunning.peek() || !isReady) return
    isRunning.value = true
    const isDone = await attempt(work, done)
    isRunning.value = false
    if (isDone) onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {children}
        {typed !== undefined && (
          <div class="field">
            <label for={id}>{typed.label}</label>
            <input
              id={id}
              value={entered}
              autocomplete="off"
              onInput={(event) => (entered.value = event.currentTarget.value)}
            />
          </div>
        )}
        <div class="actions">
          <button type="submit" class={isDangerous ? "danger" : ""} disabled={!isReady} aria-busy={isRunning.value}>
            {action}
          </button>
          <button type="button" class="quiet" onClick={onClose}>{said(words).cancel}</button>
        </div>
      </form>
    </Dialog>
  )
}
