import { spawnSync } from "node:child_process"

/** The addresses of every module that a new process loads with this one, a line each. */
export const loadedModules = (module: URL) => {
  const script = `
    import { registerHooks } from "node:module"
    const loaded = []
    registerHooks({ resolve: (name, context, next) => {
      const found = next(name, context)
      loaded.push(found.url)
      return found
    } })
    await import(${JSON.stringify(module.href)})
    console.log(loaded.join("\\n"))`
  return spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" }).stdout
}
