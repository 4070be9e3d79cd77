import { language, said, speak, spoken } from "../client/Language.ts"
import { dress, theme } from "../client/Theme.ts"

const words = spoken(
  { dark: "Dark", language: "Language", light: "Light", system: "Same as system", theme: "Theme" },
  { dark: "Escuro", language: "Idioma", light: "Claro", system: "Igual ao sistema", theme: "Tema" }
)

/** Language and theme: all that this browser keeps. */
export const Choices = () => (
  <div class="choices">
    <label>
      <span>{said(words).language}</span>
      <select
        value={language.value}
        onChange={({ currentTarget }) => speak(currentTarget.value === "en" ? "en" : "pt-BR")}
      >
        <option value="en" lang="en">English</option>
        <option value="pt-BR" lang="pt-BR">Português</option>
      </select>
    </label>
    <label>
      <span>{said(words).theme}</span>
      <select
        value={theme.value}
        onChange={({ currentTarget: { value } }) => dress(value === "light" || value === "dark" ? value : "system")}
      >
        <option value="system">{said(words).system}</option>
        <option value="light">{said(words).light}</option>
        <option value="dark">{said(words).dark}</option>
      </select>
    </label>
  </div>
)
