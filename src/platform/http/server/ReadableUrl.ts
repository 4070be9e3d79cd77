/** True if this part of a URL, or of a form, is percent-encoded UTF-8 text. */
export const isReadable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * A URL whose path can be decoded. In a segment that does not encode UTF-8 text, the percent signs stand for
 * themselves. So it is routed like any other and names nothing that exists: its answer is one that the route declares.
 */
export const readableUrl = (url: string): string => {
  const end = url.indexOf("?")
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.includes("%") || isReadable(path)) return url
  const segments = path.split("/").map((segment) => isReadable(segment) ? segment : segment.replaceAll("%", "%25"))
  return segments.join("/") + url.slice(path.length)
}
