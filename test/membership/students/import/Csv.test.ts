import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { rowsOfCsv } from "../../../../src/membership/students/import/Csv.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)

/** The rows without their empty cells. */
const read = (file: string | Uint8Array) =>
  Result.map(
    Effect.runSync(Effect.result(rowsOfCsv(typeof file === "string" ? utf8(file) : file))),
    ({ rows }) =>
      rows.map(({ document, ...row }) =>
        Object
          .fromEntries(Object.entries({ ...row, document: Redacted.value(document) }).filter(([, value]) =>
            value !== "" && value !== null
          ))
      )
  )

const rows = (file: string | Uint8Array) => Result.getOrThrow(read(file))

const refusal = (file: string) => {
  const result = read(file)
  return Result.isFailure(result) ? `${result.failure.error.code}, ${result.failure.error.message}` : "none"
}

const ana = { line: 2, name: "Ana", email: "ana@example.com" }

describe("A CSV of students", () => {
  it.each([
    ["commas", "name,email\nAna,ana@example.com\n"],
    ["semicolons", "name;email\nAna;ana@example.com\n"],
    ["tabs", "name\temail\nAna\tana@example.com\n"],
    ["semicolons, with commas inside of quotes", "name;\"email\";\"a,b,c,d\"\nAna;ana@example.com;1\n"],
    ["CRLF", "name,email\r\nAna,ana@example.com\r\n"],
    ["CR", "name,email\rAna,ana@example.com\r"],
    ["no line break at its end", "name,email\nAna,ana@example.com"],
    ["a byte order mark", "\ufeffname,email\nAna,ana@example.com\n"],
    ["columns of its own", "id,Name,phone,E-MAIL,phone\n7,Ana,123,ana@example.com,4\n"],
    ["cells in quotes", "\"name\",\"email\"\n\"Ana\",\"ana@example.com\"\n"],
    ["white space around its cells", " name , email \n Ana , ana@example.com \n"],
    ["cells too few", "name,email,cohort,delivery\nAna,ana@example.com\n"],
    ["empty cells too many", "name,email\nAna,ana@example.com,, \n"]
  ])("is read with %s", (_, file) => {
    assert.deepStrictEqual<unknown>(rows(file), [ana])
  })

  it.each([
    ["name", "Name", "NOME", "nome completo", "Nome_Completo", "full name"],
    ["email", "E-mail", "E-MAIL", "e mail", "Email"],
    ["document", "Documento", "CPF", "cnpj", "CPF/CNPJ", "cpf ou cnpj"],
    ["delivery", "Entrega", "Produto", "CURSO"],
    ["cohort", "Turma"],
    ["expires_at", "Expires at", "Expira em", "Validade", "Data de expiração", "DATA DE EXPIRACAO"]
  ])("knows the column %s by other names", (column, ...names) => {
    for (const name of [column, ...names]) {
      const file = column === "email" ? `${name}\nvalue\n` : `${name};email\nvalue;ana@example.com\n`
      assert.deepStrictEqual<unknown>(rows(file).map((row) => row[column]), ["value"], name)
    }
  })

  it.each([
    ["surname", "Surname", "Last name", "family_name", "Sobrenome", "Apellido", "APELLIDOS"]
  ])("joins the column %s, by any of its names, to the name", (...names) => {
    for (const name of names) {
      assert.deepStrictEqual<unknown>(rows(`first name;${name};email\n Ana ; Lima ;ana@example.com\n`), [
        { ...ana, name: "Ana Lima" }
      ], name)
    }
    const file = "nome;sobrenome;email\nAna LIMA;Lima;a\nLima;Lima;b\n;Lima;c\nAna;;d\n"
    assert.deepStrictEqual<unknown>(rows(file).map(({ name }) => name), ["Ana LIMA", "Lima Lima", "Lima", "Ana"])
  })

  it.each([
    ["Full name;First name;Last name;Email\nAna Lima;Ana;Lima;a\n", ["First name", "Last name"]],
    ["Given name;First name;Surname;Last name;Full name;Email\nA;A;L;L;Ana Lima;a\n", [
      "Given name",
      "First name",
      "Surname",
      "Last name"
    ]],
    ["Primeiro nome;Sobrenome;Nome completo;E-mail\nAna;Lima;Ana Lima;a\n", ["Primeiro nome", "Sobrenome"]],
    ["Name;First name;Last name;Email\nAna Lima;Ana;Souza;a\n", ["First name", "Last name"]],
    ["Nome;Primeiro nome;E-mail\nAna Lima;Ana;a\n", ["Primeiro nome"]],
    ["Nombre completo;Apellidos;Correo\nAna Lima;Souza;a\n", ["Apellidos"]]
  ])("reads the whole name alone where a column has it, and names its parts: %j", (file, parts) => {
    const { rows, unknown_columns } = Effect.runSync(rowsOfCsv(utf8(file)))
    assert.deepStrictEqual(rows.map(({ name }) => name), ["Ana Lima"])
    assert.deepStrictEqual<unknown>(unknown_columns, parts)
  })

  it.each(["Full name;Nome completo;Email", "Name;Full name;First name;Email", "First name;Given name;Email"])(
    "is refused with two columns for one name: %s",
    (header) => {
      assert.strictEqual(refusal(`${header}\na;b;c;d\n`), "csv_invalid, line 1: there are two columns for name")
    }
  )

  it("names the columns that it does not know, once each, as they are in the header", () => {
    const file = `Telefone; Cidade ;nome;email;;Telefone;"a\tb";${"x".repeat(120)}\n;;Ana;a\n`
    const { unknown_columns } = Effect.runSync(rowsOfCsv(utf8(file)))
    assert.deepStrictEqual(unknown_columns, ["Telefone", "Cidade", "a b", "x".repeat(100)])
    assert.deepStrictEqual(Effect.runSync(rowsOfCsv(utf8("nome;email\nAna;a\n"))).unknown_columns, [])
  })

  it.each([
    ["sep=;", "sep=;\r\nname;email\r\nAna;ana@example.com\r\n", 3],
    ["sep=,", "SEP=,\nname,email\nAna,ana@example.com\n", 3],
    ["a tab", "sep=\t\nname\temail\nAna\tana@example.com\n", 3],
    ["a bar, in quotes, filled up, under blank lines", "\n\n\"sep=|\";;\nname|email\nAna|ana@example.com\n", 5],
    ["another delimiter than the most frequent one", "sep=;\na,b,c,name;email\n1,2,3;ana@example.com\n", 3]
  ])("has its delimiter from a first line as Excel writes it: %s", (_, file, line) => {
    assert.deepStrictEqual<unknown>(rows(file).map(({ email, line }) => [line, email]), [[line, "ana@example.com"]])
  })

  it("has cells that Excel is not to compute", () => {
    const file = "email;document;name\na;=\"0123\";=\"A;B\"\nb;\"=\"\"0456\"\"\";\"'=\"\"C\"\"\"\n"
    assert.deepStrictEqual<unknown>(rows(file), [
      { line: 2, email: "a", document: "0123", name: "A;B" },
      { line: 3, email: "b", document: "0456", name: "=\"C\"" }
    ])
  })

  it.each([
    ["inside of a cell", "Ana \"Nina\" Lima;a"],
    ["for inches", "12\" vinyl;a"],
    ["behind a quoted part", "\"Ana\" Lima;a"],
    ["within quotes, not doubled", "\"Ana \"Nina\" Lima\";a"],
    ["without its end", "\"Ana;a"],
    ["in a formula", "=\"a\"&\"b\";a"]
  ])("fails the row alone that has a quote %s", (_, row) => {
    const file = `name;email\nBia;b\n${row}\nCai;c\n"Du\nDu";d\nEva;e\n`
    assert.deepStrictEqual<unknown>(rows(file), [
      { line: 2, name: "Bia", email: "b" },
      { line: 3, fault: "quotes" },
      { line: 4, name: "Cai", email: "c" },
      { line: 5, name: "Du\nDu", email: "d" },
      { line: 7, name: "Eva", email: "e" }
    ])
  })

  it("says of each row on which line of the file it begins", () => {
    const file = "\r\nname;email\r\nAna;a\r\n\r\n\"Bia\r\nLima\r\nReis\";b\r\n;;\r\n  \r\n\r\nCai;c\r\n;;\r\nDora;d"
    assert.deepStrictEqual<unknown>(rows(file).map(({ line, name }) => [line, name]), [
      [3, "Ana"],
      [5, "Bia\nLima\nReis"],
      [11, "Cai"],
      [13, "Dora"]
    ])
  })

  it("has rows with more cells than its header has", () => {
    assert.deepStrictEqual<unknown>(rows("email,name\na,Ana,x\n"), [{
      line: 2,
      name: "Ana",
      email: "a",
      fault: "too_many_cells"
    }])
  })

  it.each([
    ["'=SUM(A1)", "=SUM(A1)"],
    ["'+55", "+55"],
    ["'-1", "-1"],
    ["'@ana", "@ana"],
    ["''=1", "'=1"],
    ["'Ana", "'Ana"],
    ["O'Neill", "O'Neill"]
  ])("loses the apostrophe that an export puts before what would be computed: %s", (cell, expected) => {
    assert.deepStrictEqual(rows(`email;name\na;${cell}\n`).map(({ name }) => name), [expected])
  })

  it.each([
    ["", "csv_invalid, line 1: there is no header"],
    ["\r\n\n", "csv_invalid, line 1: there is no header"],
    ["name,mail\nAna,a\n", "csv_invalid, line 1: there is no column email"],
    ["\n\nname,mail\nAna,a\n", "csv_invalid, line 3: there is no column email"],
    ["email,name\n", "csv_invalid, line 1: there is no row after the header"],
    ["email,name,E-mail\na,b,c\n", "csv_invalid, line 1: there are two columns for email"],
    ["email,produto,curso\na,b,c\n", "csv_invalid, line 1: there are two columns for delivery"],
    ["sep=;", "csv_invalid, line 1: there is no header"],
    ["\nsep=;\n\n", "csv_invalid, line 3: there is no header"],
    ["email,\"name\na,b\n", "csv_invalid, line 1: a quote is inside a cell or is not closed"],
    ["PK\u0003\u0004\u0014", "csv_invalid, line 1: the file is a workbook: save it as CSV"]
  ])("is refused with its line: %j", (file, expected) => {
    assert.strictEqual(refusal(file), expected)
  })

  it("has 5,000 rows at most", () => {
    assert.strictEqual(rows(`email\n${"a\n".repeat(5000)}`).length, 5000)
    assert.strictEqual(refusal(`email\n${"a\n".repeat(5001)}`), "too_many_rows, rows must have at most 5000 items")
    assert.strictEqual(refusal(`email\n${"a\n".repeat(500_000)}`), "too_many_rows, rows must have at most 5000 items")
    assert.strictEqual(rows(`email;name\n${"a;\n".repeat(5000)}${";\n".repeat(3000)}`).length, 5000)
  })

  it("has rows of 32,768 characters and 500 cells at most, before anything is made of them", () => {
    assert.strictEqual(rows(`email,name\na,${"b".repeat(32_766)}\n`)[0]?.["name"], "b".repeat(32_766))
    assert.strictEqual(rows(`email${",".repeat(499)}\na${",".repeat(499)}\n`).length, 1)
    const long = "it is longer than 32768 characters"
    const wide = "there are more than 500 cells"
    assert.strictEqual(refusal(`email,name\na,${"b".repeat(32_767)}\n`), `csv_invalid, line 2: ${long}`)
    assert.strictEqual(refusal(`email,name\n\n"a${"b".repeat(32_767)}\n"`), `csv_invalid, line 3: ${long}`)
    assert.strictEqual(rows(`email,name\n\n"a\n${"b\n".repeat(4000)}${"b".repeat(32_000)}"`)[0]?.["fault"], "quotes")
    assert.strictEqual(refusal(`email\na${",".repeat(500)}\n`), `csv_invalid, line 2: ${wide}`)
    assert.strictEqual(refusal(`email${";".repeat(500)}\n`), `csv_invalid, line 1: ${wide}`)
    assert.strictEqual(refusal(",".repeat(4_000_000)), `csv_invalid, line 1: ${wide}`)
  })

  it("is read as one, however its slices fall", () => {
    const cell = "çã\"\"\r\nx".repeat(10)
    const file = `name;email\r\n${Array.from({ length: 4000 }, (_, n) => `"${n}${cell}";a\r\n\r\n`).join("")}`
    const read = rows(file)
    assert.strictEqual(read.length, 4000)
    for (const [n, row] of read.entries()) {
      assert.deepStrictEqual<unknown>(row, {
        line: 2 + 12 * n,
        name: `${n}${cell.replaceAll("\"\"", "\"").replaceAll("\r\n", "\n")}`,
        email: "a"
      })
    }
  })
})
