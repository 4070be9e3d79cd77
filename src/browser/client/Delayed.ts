import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"

/** In milliseconds: so long nothing was typed, where what is typed is searched for. */
export const typingPause = 250

/** The value once it has stayed the same for so long: so that not every letter that is typed is asked about. */
export const useDelayed = <A>(value: A, millis: number): A => {
  const settled = useSignal(value)
  useEffect(() => {
    if (settled.peek() === value) return undefined
    const timer = setTimeout(() => {
      settled.value = value
    }, millis)
    return () => clearTimeout(timer)
  }, [value, millis])
  return settled.value
}
