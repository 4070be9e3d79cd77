import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import { place } from "../client/Location.ts"
import { Avatar } from "./Avatar.tsx"
import { Choices } from "./Choices.tsx"
import { useLayer } from "./useLayer.ts"

const words = spoken(
  { menu: (name: string) => `${name}: account, language and theme`, signOut: "Sign out" },
  { menu: (name: string) => `${name}: conta, idioma e tema`, signOut: "Sair" }
)

interface PersonMenuProps {
  readonly name: string
  readonly email: string
  readonly role: "student" | "staff"
  /** The page's own entries: links of the class `entry`. A choice closes the menu. */
  readonly children: ComponentChildren
  readonly leave: () => void
}

/** The signed-in person: their account, how the page looks and speaks, and the way out. */
export const PersonMenu = ({ children, email, leave, name, role }: PersonMenuProps) => {
  const { around, close, isOpen, opener, toggle } = useLayer<HTMLDivElement>()
  const { path } = place.value
  useEffect(close, [path])
  return (
    <div class="person" ref={around}>
      <button type="button" class="link" aria-expanded={isOpen} ref={opener} onClick={toggle}>
        <Avatar name={name} role={role} />
        <span class="visually-hidden">{said(words).menu(name)}</span>
      </button>
      {isOpen && (
        <div class="card over">
          <p class="person-name">
            <strong dir="auto">{name}</strong>
            <span class="soft small">{email}</span>
          </p>
          <div
            class="entries"
            onClick={({ target }) => target instanceof Element && target.closest("a") !== null && close()}
          >
            {children}
          </div>
          <Choices />
          <button type="button" class="quiet" onClick={leave}>{said(words).signOut}</button>
        </div>
      )}
    </div>
  )
}
