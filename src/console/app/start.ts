// Before the first paint, so that a page in the other theme is never seen.
document.documentElement.dataset["theme"] = localStorage.getItem("turma-theme") ?? "system"
