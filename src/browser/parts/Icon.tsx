import { type IconName, shapes } from "./icons.ts"

/** A picture beside words, or on a button that says what it does in `aria-label`. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={shapes[name]} />
  </svg>
)
