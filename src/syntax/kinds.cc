// Names of the Python grammar (tree-sitter-python 0.23.6) and the kinds and fields we know them by.
#include "syntax/symbols.h"

#include <tree_sitter/api.h>

#include <string_view>
#include <utility>

#include "syntax/python.h"

namespace godwit::syntax {
namespace {

constexpr std::pair<std::string_view, Kind> kKinds[] = {
    {"ERROR", Kind::kError},
    {"module", Kind::kModule},
    {"import_statement", Kind::kImportStatement},
    {"import_from_statement", Kind::kImportFromStatement},
    {"future_import_statement", Kind::kFutureImport},
    {"dotted_name", Kind::kDottedName},
    {"aliased_import", Kind::kAliasedImport},
    {"relative_import", Kind::kRelativeImport},
    {"wildcard_import", Kind::kWildcardImport},
    {"class_definition", Kind::kClassDefinition},
    {"function_definition", Kind::kFunctionDefinition},
    {"decorated_definition", Kind::kDecoratedDefinition},
    {"decorator", Kind::kDecorator},
    {"lambda", Kind::kLambda},
    {"block", Kind::kBlock},
    {"parameters", Kind::kParameters},
    {"lambda_parameters", Kind::kParameters},
    {"default_parameter", Kind::kDefaultParameter},
    {"typed_parameter", Kind::kTypedParameter},
    {"typed_default_parameter", Kind::kTypedDefaultParameter},
    {"list_splat", Kind::kListSplat},
    {"list_splat_pattern", Kind::kListSplat},
    {"parenthesized_list_splat", Kind::kListSplat},
    {"dictionary_splat", Kind::kDictSplat},
    {"dictionary_splat_pattern", Kind::kDictSplat},
    {"expression_statement", Kind::kExpressionStatement},
    {"assignment", Kind::kAssignment},
    {"augmented_assignment", Kind::kAugmentedAssignment},
    {"named_expression", Kind::kNamedExpression},
    {"delete_statement", Kind::kDelete},
    {"global_statement", Kind::kGlobal},
    {"nonlocal_statement", Kind::kNonlocal},
    {"if_statement", Kind::kIf},
    {"elif_clause", Kind::kElif},
    {"else_clause", Kind::kElse},
    {"for_statement", Kind::kFor},
    {"while_statement", Kind::kWhile},
    {"try_statement", Kind::kTry},
    {"except_clause", Kind::kExcept},
    {"except_group_clause", Kind::kExcept},
    {"finally_clause", Kind::kFinally},
    {"with_statement", Kind::kWith},
    {"with_clause", Kind::kWithClause},
    {"with_item", Kind::kWithItem},
    {"return_statement", Kind::kReturn},
    {"raise_statement", Kind::kRaise},
    {"assert_statement", Kind::kAssert},
    {"pass_statement", Kind::kPass},
    {"call", Kind::kCall},
    {"argument_list", Kind::kArgumentList},
    {"keyword_argument", Kind::kKeywordArgument},
    {"attribute", Kind::kAttribute},
    {"subscript", Kind::kSubscript},
    {"slice", Kind::kSlice},
    {"identifier", Kind::kIdentifier},
    {"string", Kind::kString},
    {"string_start", Kind::kStringStart},
    {"string_content", Kind::kStringContent},
    {"string_end", Kind::kStringEnd},
    {"interpolation", Kind::kInterpolation},
    {"concatenated_string", Kind::kConcatenatedString},
    {"integer", Kind::kInteger},
    {"float", Kind::kFloat},
    {"true", Kind::kTrue},
    {"false", Kind::kFalse},
    {"none", Kind::kNone},
    {"comment", Kind::kComment},
    {"binary_operator", Kind::kBinaryOperator},
    {"boolean_operator", Kind::kBooleanOperator},
    {"not_operator", Kind::kNotOperator},
    {"unary_operator", Kind::kUnaryOperator},
    {"comparison_operator", Kind::kComparisonOperator},
    {"conditional_expression", Kind::kConditionalExpression},
    {"list", Kind::kList},
    {"tuple", Kind::kTuple},
    {"set", Kind::kSet},
    {"dictionary", Kind::kDictionary},
    {"pair", Kind::kPair},
    {"pattern_list", Kind::kPatternList},
    {"tuple_pattern", Kind::kTuplePattern},
    {"list_pattern", Kind::kTuplePattern},
    {"parenthesized_expression", Kind::kParenthesized},
    {"list_comprehension", Kind::kListComprehension},
    {"set_comprehension", Kind::kSetComprehension},
    {"dictionary_comprehension", Kind::kDictComprehension},
    {"generator_expression", Kind::kGeneratorExpression},
    {"for_in_clause", Kind::kForInClause},
    {"await", Kind::kAwait},
    {"yield", Kind::kYield},
    {"type", Kind::kType},
    {"print_statement", Kind::kPrintStatement},
    {"exec_statement", Kind::kExecStatement},
    {"as_pattern", Kind::kAsPattern},
    {"as_pattern_target", Kind::kAsPatternTarget},
    {"expression_list", Kind::kExpressionList},
    {"if_clause", Kind::kIfClause},
    {"match_statement", Kind::kMatch},
    {"case_clause", Kind::kCaseClause},
    {"case_pattern", Kind::kCasePattern},
    {"type_parameter", Kind::kTypeParameter},
    {"type_alias_statement", Kind::kTypeAlias},
    {"keyword_pattern", Kind::kKeywordPattern},
    {"keyword_separator", Kind::kKeywordSeparator},
    {"positional_separator", Kind::kPositionalSeparator},
};

constexpr std::pair<std::string_view, Field> kFields[] = {
    {"name", Field::kName},
    {"alias", Field::kAlias},
    {"module_name", Field::kModuleName},
    {"function", Field::kFunction},
    {"arguments", Field::kArguments},
    {"object", Field::kObject},
    {"attribute", Field::kAttribute},
    {"value", Field::kValue},
    {"subscript", Field::kSubscript},
    {"left", Field::kLeft},
    {"right", Field::kRight},
    {"body", Field::kBody},
    {"condition", Field::kCondition},
    {"consequence", Field::kConsequence},
    {"alternative", Field::kAlternative},
    {"superclasses", Field::kSuperclasses},
    {"parameters", Field::kParameters},
    {"return_type", Field::kReturnType},
    {"type", Field::kType},
    {"key", Field::kKey},
    {"definition", Field::kDefinition},
    {"operator", Field::kOperator},
    {"operators", Field::kOperators},
    {"argument", Field::kArgument},
};

// Inside a string or between lines: nothing that a rule asks for.
bool is_left_out(std::string_view name) {
  return name == "escape_sequence" || name == "escape_interpolation" || name == "line_continuation";
}

template <class Value, std::size_t size>
Value find(const std::pair<std::string_view, Value> (&table)[size], std::string_view name,
           Value missing) {
  for (const auto& [known, value] : table) {
    if (known == name) return value;
  }
  return missing;
}

Symbols make_symbols() {
  const TSLanguage* const language = tree_sitter_python();
  Symbols symbols;
  const std::uint32_t count = ts_language_symbol_count(language);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto symbol = static_cast<TSSymbol>(i);
    const bool is_named = ts_language_symbol_type(language, symbol) == TSSymbolTypeRegular;
    const std::string_view name = ts_language_symbol_name(language, symbol);
    symbols.is_recorded.push_back(is_named && !is_left_out(name));
    symbols.kinds.push_back(is_named ? find(kKinds, name, Kind::kOther) : Kind::kOther);
  }
  const std::uint32_t fields = ts_language_field_count(language);
  symbols.fields.push_back(Field::kNone);
  for (std::uint32_t i = 1; i <= fields; ++i) {
    const char* const name = ts_language_field_name_for_id(language, static_cast<TSFieldId>(i));
    symbols.fields.push_back(find(kFields, name, Field::kNone));
  }
  return symbols;
}

}  // namespace

const Symbols& python_symbols() {
  static const Symbols symbols = make_symbols();
  return symbols;
}

}  // namespace godwit::syntax
