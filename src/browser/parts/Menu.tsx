import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./icons.ts"

const words = spoken(
  { more: "More actions", moreOf: (name: string) => `More for ${name}` },
  { more: "Mais ações", moreOf: (name: string) => `Mais ações para ${name}` }
)

interface MenuProps {
  /** What the button opens. */
  readonly label: string
  readonly icon: IconName
  /** `row`: the entries stand beside each other. */
  readonly shape?: "list" | "row"
  readonly children: ComponentChildren
}

const isChoice = ({ target }: Event) => target instanceof Element && target.closest("button, a") !== null

/** Further actions behind a button. Escape, a choice, and a click or the focus elsewhere close them. */
export const Menu = ({ children, icon, label, shape = "list" }: MenuProps) => {
  const isOpen = useSignal(false)
  const menu = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    isOpen.value = false
  }
  useEffect(() => {
    if (!isOpen.value) return undefined
    const beside = ({ target }: Event) => {
      if (!(target instanceof Node) || menu.current?.contains(target) !== true) close()
    }
    document.addEventListener("pointerdown", beside)
    return () => document.removeEventListener("pointerdown", beside)
  }, [isOpen.value])
  return (
    <div
      class={`menu of-${shape}`}
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen.peek()) return
        event.stopPropagation()
        event.preventDefault()
        close()
        opener.current?.focus()
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && menu.current?.contains(relatedTarget) !== true) close()
      }}
    >
      <button
        type="button"
        class="quiet square"
        aria-label={label}
        aria-expanded={isOpen.value}
        ref={opener}
        onClick={() => (isOpen.value = !isOpen.peek())}
      >
        <Icon name={icon} />
      </button>
      {isOpen.value && (
        <ul
          // A dialog that opens gives the focus back to the place that it has now, and may open before `onClick`.
          onClickCapture={(event) => isChoice(event) && opener.current?.focus()}
          onClick={(event) => isChoice(event) && close()}
        >
          {children}
        </ul>
      )}
    </div>
  )
}

/** The rarer and the dangerous actions of a page, or of one thing of several. */
export const MoreMenu = ({ children, of: name }: {
  /** The thing, if there are several. */
  readonly of?: string
  readonly children: ComponentChildren
}) => (
  <Menu label={name === undefined ? said(words).more : said(words).moreOf(name)} icon="more">{children}</Menu>
)

/** One action of a menu. */
export const MenuEntry = ({ act, icon, isDangerous = false, label, name }: {
  readonly icon: IconName
  readonly label: string
  /** The same with its subject, for readers who hear it alone. */
  readonly name?: string
  readonly act: () => void
  readonly isDangerous?: boolean
}) => (
  <li>
    <button type="button" class={isDangerous ? "entry dangerous" : "entry"} aria-label={name} onClick={act}>
      <Icon name={icon} />
      {label}
    </button>
  </li>
)
