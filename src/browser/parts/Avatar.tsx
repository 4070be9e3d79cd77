import { Icon } from "./Icon.tsx"

const initialsOf = (name: string) => {
  const parts = name.trim().split(/\s+/)
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined]
  return letters.map((part) => [...(part ?? "")][0] ?? "").join("").toLocaleUpperCase()
}

/** A person beside their words: their initials. The name stands beside it. */
export const Avatar = ({ name, role }: {
  readonly name: string
  readonly role: "student" | "staff" | "assistant"
}) => (
  <span class={`avatar ${role}`} aria-hidden="true">
    {role === "assistant" ? <Icon name="spark" /> : initialsOf(name)}
  </span>
)
