package words

import "strings"

// latinSpelling maps the letters of European languages that are not in ASCII to their usual
// spelling in ASCII.
var latinSpelling = strings.NewReplacer(
	"ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue",
	"à", "a", "á", "a", "â", "a", "ã", "a", "å", "a", "æ", "ae", "ç", "c", "è", "e", "é", "e", "ê", "e", "ë", "e",
	"ì", "i", "í", "i", "î", "i", "ï", "i", "ñ", "n", "ò", "o", "ó", "o", "ô", "o", "õ", "o", "ø", "o", "œ", "oe",
	"ù", "u", "ú", "u", "û", "u", "ý", "y", "ÿ", "y", "ą", "a", "ć", "c", "č", "c", "ď", "d", "ę", "e", "ě", "e",
	"ğ", "g", "ı", "i", "ł", "l", "ń", "n", "ň", "n", "ő", "o", "ř", "r", "ś", "s", "š", "s", "ş", "s", "ť", "t",
	"ů", "u", "ű", "u", "ź", "z", "ż", "z", "ž", "z",
	"À", "A", "Á", "A", "Â", "A", "Ã", "A", "Å", "A", "Æ", "Ae", "Ç", "C", "È", "E", "É", "E", "Ê", "E", "Í", "I",
	"Ñ", "N", "Ó", "O", "Ô", "O", "Õ", "O", "Ø", "O", "Ú", "U", "Č", "C", "Ł", "L", "Ř", "R", "Ś", "S", "Š", "S", "Ş", "S", "Ž", "Z",
	"–", "-", "—", "-", "’", "", "‘", "",
)

// SpellInASCII spells a name in ASCII, for example "Größe" as "Groesse". It returns false if the name has letters
// without a known spelling.
func SpellInASCII(name string) (spelled string, ok bool) {
	spelled = latinSpelling.Replace(name)
	return spelled, !strings.ContainsFunc(spelled, func(c rune) bool { return c > 0x7f })
}
