import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import { Empty, Loading } from "./States.tsx"

const words = spoken(
  {
    again: "Load the page again",
    failed: "This part of the console could not be loaded",
    why: "The service was not reached, or there is a newer version of the console."
  },
  {
    again: "Carregar a página de novo",
    failed: "Esta parte do console não pôde ser carregada",
    why: "O serviço não respondeu, ou há uma versão mais nova do console."
  }
)

/** A module with a component. */
export interface LateModule<P> {
  readonly default: ComponentType<P>
}

/** Shows a component that is loaded when it is first wanted. */
export function Late<P extends object>(
  { load, props }: { readonly load: () => Promise<LateModule<P>>; readonly props: P }
) {
  const found = useSignal<{ readonly load: unknown; readonly module?: LateModule<P>; readonly isFailed?: true }>({
    load
  })
  useEffect(() => {
    let isWanted = true
    load().then(
      (module) => {
        if (isWanted) found.value = { load, module }
      },
      () => {
        if (isWanted) found.value = { load, isFailed: true }
      }
    )
    return () => {
      isWanted = false
    }
  }, [load])
  const { isFailed, load: of, module } = found.value
  if (of !== load) return <Loading />
  if (isFailed === true) {
    return (
      <Empty
        title={said(words).failed}
        action={<button type="button" onClick={() => location.reload()}>{said(words).again}</button>}
      >
        {said(words).why}
      </Empty>
    )
  }
  if (module === undefined) return <Loading />
  const { default: Component } = module
  return <Component {...props} />
}
