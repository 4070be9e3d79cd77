/** True if the focus is in this element or nowhere: then it may move, since nobody has moved it elsewhere. */
export const mayMoveFocus = (around: Element | null): boolean =>
  document.activeElement === document.body || around?.contains(document.activeElement) === true
