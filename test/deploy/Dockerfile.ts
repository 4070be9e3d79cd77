import { read } from "./Deployed.ts"

/** The base images of a Dockerfile, by its arguments `NODE_IMAGE` and `BASE_IMAGE`. */
export const imagesOf = (path: string): { readonly node: string; readonly debian: string } => {
  const given =
    new Map([...read(path).matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name = "", value = ""]) => [name, value]))
  const [node, debian] = [given.get("NODE_IMAGE"), given.get("BASE_IMAGE")]
  if (node === undefined || debian === undefined) throw new Error(`${path} does not name its images`)
  return { node, debian }
}
