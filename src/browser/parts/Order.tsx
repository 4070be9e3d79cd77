import { useSignal } from "@preact/signals"
import type { ComponentChildren, TargetedKeyboardEvent, TargetedPointerEvent } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { number } from "../client/Format.ts"
import { said, spoken } from "../client/Language.ts"
import { Icon } from "./Icon.tsx"
import { inOrderOf, landingAt, moved } from "./order.ts"
import { attempt } from "./Toasts.tsx"

const words = spoken(
  {
    down: (name: string) => `Put ${name} lower`,
    hint: "Drag it, or press Alt with an arrow up or down",
    move: (name: string) => `Move ${name}`,
    place: (name: string, place: string, all: string) => `${name} is now ${place} of ${all}`,
    refused: (name: string) => `${name} is back where it was`,
    up: (name: string) => `Put ${name} higher`
  },
  {
    down: (name: string) => `Mover ${name} para baixo`,
    hint: "Arraste ou pressione Alt + seta para cima ou para baixo",
    move: (name: string) => `Mover ${name}`,
    place: (name: string, place: string, all: string) => `${name} agora está na posição ${place} de ${all}`,
    refused: (name: string) => `${name} voltou ao lugar de antes`,
    up: (name: string) => `Mover ${name} para cima`
  }
)

interface OrderProps<A> {
  /** The name of the list. */
  readonly label: string
  readonly items: ReadonlyArray<A>
  readonly keyOf: (item: A) => string
  /** The name of an item in messages about its move. */
  readonly nameOf: (item: A) => string
  /** Sends the new order, whole. Refused, all is as before. */
  readonly save: (keys: ReadonlyArray<string>) => Promise<unknown>
  /** Reads the list anew, even after a refusal: others may have changed its items. */
  readonly after: () => void
  /** True if the order is read-only. */
  readonly isFixed?: boolean
  readonly children: (item: A) => ComponentChildren
}

interface Drag {
  readonly from: number
  readonly to: number
  /** How far it was dragged, in pixels. */
  readonly by: number
}

/** The orders of a list: what is shown, and what waits to be sent while another is under way. */
function useOrder<A>({ after, items, keyOf, nameOf, save }: OrderProps<A>) {
  const wanted = useSignal<{ readonly keys: ReadonlyArray<string>; readonly seen: string } | undefined>(undefined)
  const isSending = useSignal(false)
  const news = useSignal("")
  const latest = useRef(items)
  latest.current = items
  const orderOf = (list: ReadonlyArray<A>) => list.map(keyOf).join("\n")
  const { value } = wanted
  // Until the list comes in another order than it had.
  const isOwn = value !== undefined && (isSending.value || value.seen === orderOf(items))
  const shown = isOwn ? inOrderOf(items, keyOf, value.keys) : items

  const send = async (name: string): Promise<void> => {
    const keys = wanted.peek()?.keys
    if (keys === undefined || isSending.peek()) return
    isSending.value = true
    const isDone = await attempt(() => save(keys))
    after()
    const isLast = wanted.peek()?.keys === keys
    if (!isDone) {
      wanted.value = undefined
      news.value = said(words).refused(name)
    } else if (isLast) wanted.value = { keys, seen: orderOf(latest.current) }
    isSending.value = false
    if (isDone && !isLast) await send(name)
  }

  const move = (from: number, to: number) => {
    const next = moved(shown, from, to)
    const item = shown[from]
    if (item === undefined || next.every((one, place) => one === shown[place])) return
    const name = nameOf(item)
    wanted.value = { keys: next.map(keyOf), seen: orderOf(items) }
    news.value = said(words).place(name, number(next.indexOf(item) + 1), number(next.length))
    void send(name)
  }
  return { shown, move, news: news.value }
}

const middleOf = (row: Element) => {
  const { height, top } = row.getBoundingClientRect()
  return top + height / 2
}

/** Follows the pointer from a handle until the release. Escape puts everything back. */
const useDrag = (move: (from: number, to: number) => void) => {
  const list = useRef<HTMLOListElement>(null)
  const drag = useSignal<Drag | undefined>(undefined)
  const following = useRef<AbortController>(undefined)
  // A list that leaves the page ends its drag.
  useEffect(() => () => following.current?.abort(), [])
  const begin = (event: TargetedPointerEvent<HTMLElement>, from: number) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.focus()
    event.currentTarget.setPointerCapture(event.pointerId)
    const middles = [...list.current?.children ?? []].map(middleOf)
    const [start, scrolled] = [event.clientY, scrollY]
    const ending = new AbortController()
    following.current?.abort()
    following.current = ending
    const { signal } = ending
    const follow = ({ clientY }: PointerEvent) => {
      const by = clientY - start + scrollY - scrolled
      drag.value = { from, by, to: landingAt(middles, from, (middles[from] ?? 0) + by) }
    }
    const end = (isDone: boolean) => {
      ending.abort()
      const last = drag.peek()
      drag.value = undefined
      if (isDone && last !== undefined) move(last.from, last.to)
    }
    addEventListener("pointermove", follow, { signal })
    addEventListener("pointerup", () => end(true), { signal })
    addEventListener("pointercancel", () => end(false), { signal })
    addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal })
  }
  return { list, drag: drag.value, begin }
}

const classOf = (drag: Drag | undefined, place: number) => {
  if (drag === undefined) return ""
  if (place === drag.from) return "dragged"
  if (drag.from === drag.to) return ""
  if (drag.to === place) return drag.to < drag.from ? "landing-before" : "landing-after"
  return ""
}

/** A list whose items the reader can order: by dragging, by keys, or by buttons for every reader and finger. */
export function Order<A>(props: OrderProps<A>) {
  const { children, isFixed = false, keyOf, label, nameOf } = props
  const { move, news, shown } = useOrder(props)
  const { begin, drag, list } = useDrag(move)
  const moving = useRef<{ readonly key: string; readonly by: string } | undefined>(undefined)
  // A moved element loses the focus.
  useLayoutEffect(() => {
    if (moving.current === undefined) return
    const { by, key } = moving.current
    const row = list.current?.children[shown.findIndex((item) => keyOf(item) === key)]
    moving.current = undefined
    // At an end there is no way on, and the other button is next.
    for (const one of [by, ".handle"]) {
      const button = row?.querySelector<HTMLButtonElement>(one)
      if (button === null || button === undefined || button.disabled) continue
      button.focus()
      return
    }
  })
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>, place: number, key: string) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (!event.altKey || step === 0 || event.defaultPrevented || isFixed) return
    event.preventDefault()
    moving.current = { key, by: ".handle" }
    move(place, place + step)
  }
  const stepButton = (item: A, place: number, step: 1 | -1) => {
    const [way, name] = step < 0 ? ["up" as const, said(words).up] : ["down" as const, said(words).down]
    return (
      <button
        type="button"
        class={`quiet square step ${way}`}
        aria-label={name(nameOf(item))}
        disabled={step < 0 ? place === 0 : place === shown.length - 1}
        onClick={() => {
          moving.current = { key: keyOf(item), by: `.step.${way}` }
          move(place, place + step)
        }}
      >
        <Icon name={way} />
      </button>
    )
  }
  return (
    <>
      <ol class="order" aria-label={label} ref={list}>
        {shown.map((item, place) => (
          <li
            key={keyOf(item)}
            class={classOf(drag, place)}
            {...(drag?.from === place ? { style: { transform: `translateY(${drag.by}px)` } } : {})}
            onKeyDown={(event) => onKeyDown(event, place, keyOf(item))}
          >
            {!isFixed && (
              <div class="places">
                {stepButton(item, place, -1)}
                <button
                  type="button"
                  class="quiet square handle"
                  aria-label={said(words).move(nameOf(item))}
                  title={said(words).hint}
                  onPointerDown={(event) => begin(event, place)}
                >
                  <Icon name="drag" />
                </button>
                {stepButton(item, place, 1)}
              </div>
            )}
            <div class="ordered">{children(item)}</div>
          </li>
        ))}
      </ol>
      <p class="visually-hidden" role="status">{news}</p>
    </>
  )
}
