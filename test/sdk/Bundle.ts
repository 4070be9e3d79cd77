import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

/** A bundle for browsers, and its imports from elsewhere. */
export interface Bundle {
  readonly code: string
  readonly imports: ReadonlyArray<string>
}

/** The SDK as a bundler gives it to a page: a module, or a script that makes `TurmaSdk`. */
export const bundled = async (format: "esm" | "iife", minify = true): Promise<Bundle> => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("../../src/sdk/index.ts", import.meta.url)),
    platform: "browser",
    external: (id) => !/^[./]/.test(id)
  })
  const { output: [first, ...others] } = await bundle.generate({ format, minify, name: "TurmaSdk" })
  await bundle.close()
  return { code: first.code, imports: [...first.imports, ...others.map(({ fileName }) => fileName)] }
}

/** The size of a text in bytes after compression, as a browser fetches it. */
export const compressedSize = (text: string): number => gzipSync(text, { level: 9 }).length
