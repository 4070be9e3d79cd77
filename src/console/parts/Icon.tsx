const shapes = {
  close: "M5 5l10 10M15 5L5 15",
  copy: "M7 7V4h9v9h-3M4 7h9v9H4z",
  down: "M5 8l5 5 5-5",
  drag: "M7 5h.01M7 10h.01M7 15h.01M13 5h.01M13 10h.01M13 15h.01",
  menu: "M3 5h14M3 10h14M3 15h14",
  next: "M8 5l5 5-5 5",
  search: "M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zm4.5-1.500L17 17",
  up: "M5 12l5-5 5 5"
} as const

/** A picture beside words, or on a button that says what it does in `aria-label`. */
export const Icon = ({ name }: { readonly name: keyof typeof shapes }) => (
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={shapes[name]} />
  </svg>
)
