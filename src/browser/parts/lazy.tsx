import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import { Empty, Loading } from "./States.tsx"

const words = spoken(
  {
    again: "Load the page again",
    failed: "This part of the page could not be loaded",
    why: "The service could not be reached, or there is a newer version of the page."
  },
  {
    again: "Carregar a página de novo",
    failed: "Não foi possível carregar esta parte da página",
    why: "O serviço não respondeu, ou há uma versão mais nova da página."
  }
)

const NotLoaded = () => (
  <Empty
    title={said(words).failed}
    action={<button type="button" onClick={() => location.reload()}>{said(words).again}</button>}
  >
    {said(words).why}
  </Empty>
)

/** A component that is loaded when it is first shown, or before, and shown at once from then on. */
export type Lazy<P extends object> = ComponentType<P> & { readonly preload: () => Promise<void> }

/** Makes a component of a module that is loaded once. */
export const lazy = <P extends object>(load: () => Promise<{ readonly default: ComponentType<P> }>): Lazy<P> => {
  let loaded: ComponentType<P> | undefined
  const preload = async () => {
    loaded = (await load()).default
  }
  const shown = (props: P) => {
    const state = useSignal<"loading" | "loaded" | "failed">(loaded === undefined ? "loading" : "loaded")
    useEffect(() => {
      if (state.peek() === "loaded") return undefined
      let isShown = true
      preload().then(
        () => {
          if (isShown) state.value = "loaded"
        },
        () => {
          if (isShown) state.value = "failed"
        }
      )
      return () => {
        isShown = false
      }
    }, [])
    if (state.value === "failed") return <NotLoaded />
    const Loaded = state.value === "loaded" ? loaded : undefined
    return Loaded === undefined ? <Loading /> : <Loaded {...props} />
  }
  shown.preload = preload
  return shown
}
